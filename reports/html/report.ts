import type { Result, RunHandler } from '../../harness/events.ts';
import { allRules } from '../../specs/catalogue.ts';
import type { Rule } from '../../specs/rule.ts';
import { causesOnce, type FindCauses } from '../causes/once.ts';
import { contractAddresses } from '../contract/addresses.ts';
import { evidenceOf } from '../evidence.ts';
import { grouped } from '../grouped.ts';
import { Latencies } from '../latency.ts';
import type { KnowRule } from '../rule-knowledge.ts';
import { type RunRecord, whenEnded } from '../run-record.ts';
import { writeAtomically } from '../write.ts';
import { type PageData, pageData } from './data.ts';
import { type PageExchange, pageExchange } from './exchange.ts';
import { PackedList } from './packed.ts';
import { dataBlock, embed, jsonBlock, pagePieces } from './page.ts';
import { pageScripts } from './scripts.ts';

/** Bytes shown of each body. */
const shownOfBody = 16 * 1024;
/** Limit in characters for the exchanges in one page; beyond it bodies are truncated, so that the page still opens. */
const roomForBodies = 16 * 1024 * 1024;
const shownWithoutRoom = 256;
/** Bytes of each body that only passes depend on; `report.json` has more. */
const shownOfPasses = 1024;

/** Links of the page, each only if its target exists, and data that is already available. */
interface HtmlOptions {
  /** The address of the site's first page, if the report is part of a site. */
  readonly site?: string;
  /** The address of the folder with the pages of the contract. */
  readonly contract?: string;
  readonly findCauses?: FindCauses;
  readonly knowRule?: KnowRule;
}

/** Writes the self-contained `index.html` when the run ends. */
export function htmlReport(
  file: string,
  rules: readonly Rule[] = allRules,
  { site, contract, findCauses = causesOnce(rules), knowRule }: HtmlOptions = {},
): RunHandler {
  return whenEnded(async (record) => {
    const data = {
      ...(await pageData(record, rules, { findCauses, knowRule })),
      ...(site !== undefined && { site }),
      ...(contract !== undefined && { contract: contractAddresses(contract) }),
    };
    await writeAtomically(file, pieces(record, data));
  }, rules);
}

async function* pieces(record: RunRecord, data: PageData): AsyncGenerator<string> {
  yield* pagePieces('report', {
    report: () => jsonBlock('report', data),
    exchanges: () => exchanges(record),
    scripts: () => scripts(record),
  });
}

async function* scripts(record: RunRecord): AsyncGenerator<string> {
  yield* jsonBlock('scripts', await pageScripts(record));
  yield '\n';
}

async function* exchanges({ results, ended }: RunRecord): AsyncGenerator<string> {
  const evidence = evidenceOf(results, ended);
  const latencies = new Latencies();
  const ofPasses = new PackedList<PageExchange>();
  const shownBy = grouped(results.filter(isProblem), ({ shown }) => shown?.exchange);
  let room = roomForBodies;
  let separator = '\n';
  yield `${dataBlock('exchanges')}[`;
  try {
    for await (const exchange of ended.exchanges(evidence.wanted)) {
      const how = evidence.kept(exchange);
      if (how === 'none') continue;
      latencies.add(exchange);
      if (how !== 'whole') {
        await ofPasses.add(pageExchange(exchange, shownOfPasses));
        continue;
      }
      const text = embed(pageExchange(exchange, room > 0 ? shownOfBody : shownWithoutRoom, shownBy.get(exchange.id)));
      room -= text.length;
      yield separator + text;
      separator = ',\n';
    }
  } catch {
    // A page without the remaining exchanges is better than none.
  }
  yield ']</script>\n';
  yield* ['<script type="text/plain" id="exchanges-of-passes">', await ofPasses.end(), '</script>\n'];
  yield* jsonBlock('latency', latencies.summary());
}

function isProblem({ verdict }: Result): boolean {
  return verdict === 'fail' || verdict === 'blocked';
}
