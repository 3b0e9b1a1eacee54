import { createHash } from 'node:crypto';
import type { RecordedExchange, RunHandler } from '../../harness/events.ts';
import { allRules } from '../../specs/catalogue.ts';
import type { Rule } from '../../specs/rule.ts';
import { evidenceOf, versionOf } from '../evidence.ts';
import { cutExchange } from '../recorded-bytes.ts';
import { type RunRecord, whenEnded } from '../run-record.ts';
import { writeAtomically } from '../write.ts';
import { readAssets } from './assets.ts';
import { pageData } from './data.ts';

/** Bytes shown of each body. */
const shownOfBody = 16 * 1024;
/** Characters of exchanges in one page; beyond them bodies are cut short, so that the page still opens. */
const roomForBodies = 16 * 1024 * 1024;
const shownWithoutRoom = 256;

/** Writes the self-contained `index.html` when the run ends. */
export function htmlReport(file: string, rules: readonly Rule[] = allRules): RunHandler {
  return whenEnded((record) => writeAtomically(file, pieces(record, rules)), rules);
}

async function* pieces(record: RunRecord, rules: readonly Rule[]): AsyncIterable<string> {
  const { template, style, script } = await readAssets();
  const parts: Record<string, () => Iterable<string> | AsyncIterable<string>> = {
    policy: () => [`<meta http-equiv="Content-Security-Policy" content="${policy(style, script)}">`],
    style: () => ['<style>', style, '</style>'],
    script: () => ['<script>', script, '</script>'],
    report: () => [dataBlock('report'), embed(pageData(record, rules)), '</script>'],
    exchanges: () => exchanges(record),
  };
  for (const [place, text] of template.split(/<!-- (\w+) -->/).entries()) {
    // Every second piece is the name of a part.
    if (place % 2 === 0) yield text;
    else yield* parts[text]?.() ?? [];
  }
}

function dataBlock(id: string): string {
  return `<script type="application/json" id="${id}">`;
}

/** Lets the page run its own script and style, and load nothing. */
function policy(style: string, script: string): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** JSON that can't end the script element it stands in. */
function embed(data: unknown): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}

async function* exchanges({ results, ended }: RunRecord): AsyncGenerator<string> {
  const evidence = evidenceOf(results);
  let room = roomForBodies;
  let separator = '\n';
  yield `${dataBlock('exchanges')}[`;
  try {
    for await (const exchange of ended.exchanges(evidence.wantedWhole)) {
      if (evidence.kept(exchange) !== 'whole') continue;
      const text = embed(pageExchange(exchange, room > 0 ? shownOfBody : shownWithoutRoom));
      room -= text.length;
      yield separator + text;
      separator = ',\n';
    }
  } catch {
    // A page without the rest of the exchanges is better than none.
  }
  yield ']</script>';
}

function pageExchange(exchange: RecordedExchange, limit: number) {
  const { startedAt: _, ...shown } = cutExchange(exchange, limit);
  return { ...shown, api: versionOf(exchange) };
}
