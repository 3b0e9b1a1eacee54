import type { PageResult, PageRule } from '../data.ts';
import type { Embedded } from '../embedded.ts';
import type { PageExchange } from '../exchange.ts';
import { embedded, unpacked } from './embedded.ts';

/** The report on this page. */
export const report = embedded('report');

/** The results of a rule, oldest version first. */
export function resultsOf(rule: PageRule): PageResult[] {
  return report.apis.flatMap((api) => rule.results[api] ?? []);
}

let parsed: ReadonlyMap<string, PageExchange> | undefined;

/** The exchanges by id, parsed on first use. */
function exchanges(): ReadonlyMap<string, PageExchange> {
  parsed ??= indexed(embedded('exchanges'));
  return parsed;
}

function indexed(list: readonly PageExchange[]): ReadonlyMap<string, PageExchange> {
  return new Map(list.map((exchange) => [exchange.id, exchange]));
}

/** The exchange with this id, if the report has it. */
export function exchangeOf(id: string | undefined): PageExchange | undefined {
  return id === undefined ? undefined : exchanges().get(id);
}

/** The exchanges behind a verdict, the decisive one last; those that are not in the report are left out. */
export function evidenceOf(result: PageResult): PageExchange[] {
  return result.evidence.flatMap((id) => exchanges().get(id) ?? []);
}

let ofPasses: Promise<ReadonlyMap<string, PageExchange>> | undefined;

/** The exchanges behind a pass, unpacked on first use. */
export async function evidenceOfPass(result: PageResult): Promise<PageExchange[]> {
  ofPasses ??= unpacked('exchanges-of-passes').then(indexed);
  const packed = await ofPasses;
  return result.evidence.flatMap((id) => exchanges().get(id) ?? packed.get(id) ?? []);
}

/** What the check sent besides the judged exchanges. */
export function preparationOf(rule: PageRule, result: PageResult): PageExchange[] {
  const judged = new Set(result.evidence);
  return [...exchanges().values()].filter(
    (exchange) => exchange.madeFor === rule.id && exchange.api === result.api && !judged.has(exchange.id),
  );
}

let scripts: Embedded['scripts'] | undefined;

/** The complete script that reproduces a failure, or the reason why there is none. Undefined for other verdicts. */
export function scriptOf(rule: PageRule, result: PageResult): Embedded['scripts']['own'][string] | undefined {
  scripts ??= embedded('scripts');
  const { library, probe, own } = scripts;
  const repro = own[`${rule.id} ${result.api}`];
  if (!repro || !('script' in repro)) return repro;
  return { script: repro.script.replace('@LIBRARY@', () => library).replace('@PROBE@', () => probe) };
}
