import type { RunHandler } from '../harness/events.ts';
import { counted, thousands } from './counted.ts';
import { type RunRecord, whenEnded } from './run-record.ts';
import { type Overall, overall, summarize } from './summary.ts';
import { writeAtomically } from './write.ts';
import { writeXml } from './xml.ts';

const label = 'engine conformance';

/** Dark enough for white text on them. */
const colours: Readonly<Record<Overall, string>> = {
  conforms: '#1a7f37',
  waived: '#3f7a1f',
  deviates: '#c32a25',
  undecided: '#8f5c00',
  inconclusive: '#57606a',
  incomplete: '#57606a',
  failed: '#7a3fb0',
};
const loose = '#8f5c00';

/** Writes `badge.svg` when the run ends. */
export function badgeReport(file: string): RunHandler {
  return whenEnded((record) => writeAtomically(file, [badge(record)]));
}

/** A picture for a README with the outcome of the run in a few words. */
export function badge(record: RunRecord): string {
  const { verdict } = overall(record);
  const { shouldFail, fail } = summarize(record.results).counts;
  const colour = verdict === 'deviates' && fail === shouldFail ? loose : colours[verdict];
  return draw(messageOf(record, verdict), colour);
}

function messageOf({ results }: RunRecord, verdict: Overall): string {
  const { pass, fail, shouldFail, waived, blocked } = summarize(results).counts;
  switch (verdict) {
    case 'conforms':
      return `${thousands(pass)} passed`;
    case 'waived':
      return `${thousands(pass)} passed, ${waived} known`;
    case 'deviates':
      return fail > shouldFail ? counted(fail - shouldFail, 'deviation') : counted(shouldFail, 'loose deviation');
    case 'undecided':
      return `${blocked} blocked`;
    default:
      return verdict;
  }
}

const height = 20;
const padding = 7;

/** The width of text is a guess, which `textLength` enforces in every font. */
function draw(message: string, colour: string): string {
  const [left, right] = [widthOf(label), widthOf(message)];
  const split = left + 2 * padding;
  const width = split + right + 2 * padding;
  const says = `${label}: ${message}`;
  const rect = (x: number, of: number, fill: string) => ({ name: 'rect', attributes: { x, width: of, height, fill } });
  const text = (x: number, length: number, content: string) => ({
    name: 'text',
    attributes: { x, y: 14, textLength: length, lengthAdjust: 'spacingAndGlyphs' },
    children: [content],
  });
  return writeXml({
    name: 'svg',
    attributes: {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-label': says,
    },
    children: [
      { name: 'title', children: [says] },
      {
        name: 'clipPath',
        attributes: { id: 'corners' },
        children: [{ name: 'rect', attributes: { width, height, rx: 3 } }],
      },
      {
        name: 'g',
        attributes: { 'clip-path': 'url(#corners)' },
        children: [rect(0, split, '#333b44'), rect(split, width - split, colour)],
      },
      {
        name: 'g',
        attributes: { fill: '#fff', 'font-family': 'Verdana, DejaVu Sans, Geneva, sans-serif', 'font-size': 11 },
        children: [text(padding, left, label), text(split + padding, right, message)],
      },
    ],
  });
}

const narrow = /[fijlrt,. ()]/;
const wide = /[mw%]/;

function widthOf(text: string): number {
  const widths = [...text].map((character) => (narrow.test(character) ? 4.2 : wide.test(character) ? 10 : 7));
  return Math.round(widths.reduce((sum, width) => sum + width, 0));
}
