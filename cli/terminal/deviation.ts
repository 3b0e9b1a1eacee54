import { fingerprintOf } from '../../harness/baseline/fingerprint.ts';
import type { RecordedExchange, Result, Verdict } from '../../harness/events.ts';
import { deviatingPlace, placeIn } from '../../reports/deviating-place.ts';
import { generatedLines } from '../../reports/generated.ts';
import { namedLines } from '../../reports/named.ts';
import { factsOf } from '../../reports/rule-facts.ts';
import { ruleLine } from '../../reports/rule-line.ts';
import { transcript } from '../../reports/transcript.ts';
import { visible, visibleLine } from '../../reports/visible.ts';
import type { Kind, Rule } from '../../specs/rule.ts';
import type { Colors } from './colors.ts';

/** Bytes shown of each body; the reports show more. */
const shownOfBody = 512;

/** Kinds of rules that headers may violate. */
const aboutHeaders: readonly Kind[] = ['header', 'format', 'stream', 'auth', 'token', 'version'];

const marks = { fail: '✗', blocked: '■', error: '!' } as const;

type Notable = keyof typeof marks;

/** A verdict that is shown immediately. */
export type NotableResult = Result & { readonly verdict: Notable };

export function isNotable(verdict: Verdict): verdict is Notable {
  return Object.hasOwn(marks, verdict);
}

/** `✗ fail containers.stop.answers-204 [1.21]` */
export function headline(result: NotableResult, colors: Colors, apis: readonly string[] = [result.api]): string {
  const { rule, verdict, level } = result;
  const paint =
    verdict === 'fail' && level === 'must' ? colors.red : verdict === 'error' ? colors.magenta : colors.yellow;
  const weight = verdict === 'fail' && level === 'should' ? ' (should)' : '';
  return `${paint(`${marks[verdict]} ${verdict}`)}${weight} ${colors.bold(visibleLine(rule))} [${apis.join(', ')}]`;
}

interface Evidence {
  readonly decisive: RecordedExchange | undefined;
  /** The request whose effect the decisive exchange shows, if it is a different one. */
  readonly change: RecordedExchange | undefined;
}

/**
 * What an implementer needs in order to act on a deviation: the rule's sentence and its source, what was expected and
 * what came, and the decisive exchange with a command line that repeats it.
 */
export function describeDeviation(
  result: NotableResult,
  rule: Rule | undefined,
  { decisive, change }: Evidence,
  colors: Colors,
): string {
  const { says, source, interpretations } = factsOf(result.rule, rule);
  const lines = [headline(result, colors), ruleLine(result, says)];
  if (source) lines.push(colors.dim(source));
  for (const { id, reading } of interpretations) lines.push(colors.dim(`reading (${id}): ${reading}`));
  if (result.verdict !== 'fail') lines.push(...labelled('reason', result.reason));
  else lines.push(...labelled('expected', result.expected), ...labelled('actual', result.actual));
  if (result.generated) lines.push(...generatedLines(result.generated).map(visibleLine));
  const shown = (one: RecordedExchange) => (aboutHeaders.includes(result.kind) ? one : withoutHeaders(one));
  if (change) lines.push(...transcript(shown(change), shownOfBody).split('\n'));
  if (decisive) {
    const from = placeIn(decisive, result);
    lines.push(...transcript(shown(decisive), shownOfBody, from).split('\n'));
    const deviates = from && deviatingPlace(decisive, from);
    if (deviates !== undefined) lines.push(`deviates: ${visibleLine(deviates)}`);
  }
  for (const line of namedLines(result)) lines.push(colors.dim(visibleLine(line)));
  if (result.verdict !== 'error') lines.push(colors.dim(`fingerprint ${fingerprintOf(result)}`));
  const [head = '', ...rest] = lines;
  return [head, ...rest.map((line) => `  ${line}`)].join('\n');
}

function withoutHeaders({ request, answer, ...rest }: RecordedExchange): RecordedExchange {
  return { ...rest, request: { ...request, headers: [] }, ...(answer && { answer: { ...answer, headers: [] } }) };
}

function labelled(label: string, text: string): string[] {
  const [first = '', ...more] = visible(text).split('\n');
  return [`${label}: ${first}`, ...more.map((line) => ' '.repeat(label.length + 2) + line)];
}
