import type { RecordedExchange, Result } from '../../harness/events.ts';
import type { RunRecord } from '../run-record.ts';
import { namedNear } from './script.ts';
import { isOfFixture, Selection } from './selection.ts';

/** Whether a verdict is one that somebody may want to reproduce. */
export function isShownAgain({ verdict }: Pick<Result, 'verdict'>): boolean {
  return verdict === 'fail' || verdict === 'blocked' || verdict === 'waived';
}

/** The exchanges from which scripts are made. */
export async function selectionOf({ results, ended }: Pick<RunRecord, 'results' | 'ended'>): Promise<Selection> {
  const deviating = results.filter(isShownAgain);
  if (deviating.length === 0) return new Selection([]);
  const rules = new Set(deviating.map(({ rule }) => rule));
  const evidence = new Set(deviating.flatMap(({ evidence: ids }) => ids));
  const exchanges: RecordedExchange[] = [];
  try {
    const wanted = (known: Pick<RecordedExchange, 'id' | 'madeFor'>) =>
      rules.has(known.madeFor) || evidence.has(known.id) || isOfFixture(known);
    for await (const exchange of ended.exchanges(wanted)) if (wanted(exchange)) exchanges.push(exchange);
  } catch {
    // What can no longer be read has no script; the reports say why.
  }
  return new Selection(exchanges);
}

/** The ids of the exchanges that the scripts of a run's failures repeat. */
export async function sentByScripts(record: Pick<RunRecord, 'results' | 'ended'>): Promise<ReadonlySet<string>> {
  const selection = await selectionOf(record);
  const sent = new Set<string>();
  for (const result of record.results.filter(isShownAgain)) {
    const id = result.shown?.exchange ?? result.evidence.at(-1);
    const shown = id === undefined ? undefined : selection.exchange(id);
    if (!shown) continue;
    for (const exchange of selection.of(result, shown, namedNear(result, shown))) sent.add(exchange.id);
  }
  return sent;
}
