import type { RecordedExchange, Result, RunEnded } from '../../harness/events.ts';
import type { RunRecord } from '../run-record.ts';
import { namedNear } from './script.ts';
import { isOfFixture, Selection } from './selection.ts';

/** Whether a verdict is one that somebody may want to reproduce. */
export function isShownAgain({ verdict }: Pick<Result, 'verdict'>): boolean {
  return verdict === 'fail' || verdict === 'blocked' || verdict === 'waived';
}

/** Several reports of a run have its scripts, and thousands of exchanges take seconds to read. */
const known = new WeakMap<RunEnded, { readonly of: readonly Result[]; readonly selection: Promise<Selection> }>();

/** The exchanges from which scripts are made. */
export function selectionOf({ results, ended }: Pick<RunRecord, 'results' | 'ended'>): Promise<Selection> {
  const deviating = results.filter(isShownAgain);
  const before = known.get(ended);
  const isSame = before?.of.length === deviating.length && before.of.every((one, index) => one === deviating[index]);
  const selection = isSame ? before.selection : selectedFor(deviating, ended);
  known.set(ended, { of: deviating, selection });
  return selection;
}

async function selectedFor(deviating: readonly Result[], ended: RunEnded): Promise<Selection> {
  if (deviating.length === 0) return new Selection([]);
  const rules = new Set(deviating.map(({ rule }) => rule));
  const evidence = new Set(deviating.flatMap(({ evidence: ids }) => ids));
  const exchanges: RecordedExchange[] = [];
  try {
    const wanted = (one: Pick<RecordedExchange, 'id' | 'madeFor'>) =>
      rules.has(one.madeFor) || evidence.has(one.id) || isOfFixture(one);
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
