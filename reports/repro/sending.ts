import type { RecordedExchange } from '../../harness/events.ts';
import { madeIdentifier } from '../../harness/recording/made-identifier.ts';
import { writesBytes } from '../../harness/recording/shell-bytes.ts';
import { bytesOf, isText } from '../recorded-bytes.ts';
import { NoScript } from './condition.ts';
import { type FlatLine, flat } from './flat.ts';
import { jsonOf, receivedSize, requestText, spanOf } from './recorded.ts';
import type { Words } from './words.ts';

/** A shorter pause between two requests comes from the machine. */
const shortestPauseMs = 250;
const longestPauseS = 12;

/** One request of the script; a poll is repeated until its answer is the recorded one. */
interface Step {
  readonly number: number;
  readonly exchange: RecordedExchange;
  /** The exchanges it stands for, the last of which is `exchange`. */
  readonly polls: readonly RecordedExchange[];
}

export interface Sending {
  readonly lines: readonly string[];
  /** The number of the request whose answer is judged. */
  readonly judged: number;
}

/**
 * The requests in the order in which they began, each with what it waits for.
 * @throws NoScript if one cannot be repeated
 */
export function sendingLines(exchanges: readonly RecordedExchange[], shown: RecordedExchange, words: Words): Sending {
  const steps = stepsOf(exchanges, shown);
  const lines: string[] = [];
  const open: Step[] = [];
  const ended = new Set<Step>();
  let lastEnd = 0;
  const end = (step: Step) => {
    lines.push(endLine(step, shown), ...madeLines(step));
    if (step.exchange !== shown) words.answered(step.number, step.exchange);
    ended.add(step);
    open.splice(open.indexOf(step), 1);
  };
  for (const [at, step] of steps.entries()) {
    const { exchange } = step;
    const { begin } = spanOf(step.polls[0] ?? exchange);
    const { end: ownEnd } = spanOf(exchange);
    for (const one of open.toSorted((a, b) => spanOf(a.exchange).end - spanOf(b.exchange).end)) {
      if (spanOf(one.exchange).end <= begin || repeats(exchange, one)) end(one);
    }
    const pauseMs = begin - lastEnd;
    if (lastEnd > 0 && pauseMs >= shortestPauseMs && isOneAfterOther(steps[at - 1], step)) {
      lines.push(`sleep ${Math.min(longestPauseS, Math.ceil(pauseMs / 1000))}`);
    }
    lastEnd = Math.max(lastEnd, ownEnd);
    lines.push(`# ${step.number}. ${oneLine(`${exchange.request.method} ${exchange.request.path}`)} (${exchange.id})`);
    lines.push(...words.carry(requestText(exchange)), ...bodyLines(step, words));
    const next = steps[at + 1];
    const goesOn = exchange.stream !== undefined || (next !== undefined && spanOf(next.exchange).begin < ownEnd);
    if (step.polls.length > 1 || !goesOn) {
      lines.push(...wholeLines(step, shown, words), ...madeLines(step));
      if (exchange !== shown) words.answered(step.number, exchange);
      ended.add(step);
    } else {
      lines.push(`begin ${step.number} 120 ${requestWords(step, words)}`);
      if (exchange.stream !== undefined) lines.push(`opened ${step.number}`);
      open.push(step);
    }
  }
  for (const step of open.toSorted((a, b) => spanOf(a.exchange).end - spanOf(b.exchange).end)) {
    if (spanOf(step.exchange).end <= spanOf(shown).end || step.exchange === shown) end(step);
  }
  const judged = steps.find(({ exchange }) => exchange === shown);
  if (!judged) throw new NoScript('the exchange that shows the deviation was not kept');
  return { lines, judged: judged.number };
}

function stepsOf(exchanges: readonly RecordedExchange[], shown: RecordedExchange): Step[] {
  const groups: RecordedExchange[][] = [];
  for (const exchange of exchanges) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    if (group && before && before !== shown && isPoll(before, exchange)) group.push(exchange);
    else groups.push([exchange]);
  }
  return groups.flatMap((polls, at) => {
    const exchange = polls.at(-1);
    return exchange ? [{ number: at + 1, exchange, polls }] : [];
  });
}

function isPoll(one: RecordedExchange, other: RecordedExchange): boolean {
  return (
    one.request.method === 'GET' &&
    !one.stream &&
    !other.stream &&
    other.request.method === 'GET' &&
    one.request.path === other.request.path &&
    one.madeFor === other.madeFor
  );
}

function isOneAfterOther(before: Step | undefined, step: Step): boolean {
  return before?.exchange.madeFor === step.exchange.madeFor;
}

/** Whether a request names something from an answer that has not come yet. */
function repeats(exchange: RecordedExchange, { exchange: earlier }: Step): boolean {
  const id = madeIdentifier(earlier) ?? /[0-9a-f]{64}/.exec(earlier.answer?.body.text ?? '')?.[0];
  return id !== undefined && earlier.stream === undefined && requestText(exchange).includes(id.slice(0, 12));
}

function requestWords({ exchange }: Step, words: Words): string {
  const { method, path, headers } = exchange.request;
  const at = spanOf(exchange).begin;
  return [method, words.quote(path, at), ...headers.map(([name, value]) => words.quote(`${name}: ${value}`, at))].join(
    ' ',
  );
}

/** An unexpected refusal ends the script, except for the judged request: a check may try the same several times. */
function statusWord({ exchange }: Step, shown: RecordedExchange, words: Words): string {
  return exchange === shown || isTried(exchange, shown, words) ? '-' : String(exchange.answer?.status ?? '-');
}

/** Whether a request is of the same kind as the judged one, and makes nothing that others need. */
function isTried({ madeFor, request, answer }: RecordedExchange, shown: RecordedExchange, words: Words): boolean {
  const kindOf = ({ method, path }: RecordedExchange['request']) => {
    const segments = path.replace(/\?.*/, '').split('/');
    return `${method} ${segments.map((segment) => (words.isName(segment) ? '{id}' : segment)).join('/')}`;
  };
  return madeFor === shown.madeFor && answer?.status !== 201 && kindOf(request) === kindOf(shown.request);
}

function wholeLines(step: Step, shown: RecordedExchange, words: Words): string[] {
  const { number, polls, exchange } = step;
  const request = requestWords(step, words);
  const status = statusWord(step, shown, words);
  const send = `send ${number} ${status} ${request}`;
  const [first] = polls;
  if (!first || polls.length === 1) return [send];
  const seconds = Math.ceil((spanOf(exchange).end - spanOf(first).begin) / 1000);
  const change = changeIn(polls);
  if (!change) return seconds > 0 ? [`sleep ${Math.min(seconds, longestPauseS)}`, send] : [send];
  const most = Math.max(10, 3 * seconds);
  const until = `${words.quote(change.pointer)} ${words.quote(change.was)}`;
  return [`poll ${number} ${status} ${most} ${until} ${request}`];
}

const plainValue = /^(?:true|false|-?\d{1,3}|"[A-Za-z]*")$/;

/** How the last of several answers differs from the previous one: what was waited for. */
function changeIn(polls: readonly RecordedExchange[]): { readonly pointer: string; readonly was: string } | undefined {
  const [before, last] = polls.slice(-2).map(linesOf);
  if (!before || !last) return undefined;
  const old = new Map(before.map(({ pointer, value }) => [pointer, value]));
  const changed = last.find(({ pointer, value }) => {
    const was = old.get(pointer);
    return was !== undefined && was !== value && plainValue.test(was) && plainValue.test(value);
  });
  return changed && { pointer: changed.pointer, was: old.get(changed.pointer) ?? '' };
}

function linesOf(exchange: RecordedExchange): FlatLine[] {
  const body = jsonOf(exchange);
  return body ? flat(body.json) : [];
}

/** Waits for an answer that was not awaited at once. */
function endLine({ number, exchange }: Step, shown: RecordedExchange): string {
  const status = exchange === shown ? '-' : String(exchange.answer?.status ?? '-');
  const seconds = Math.ceil(exchange.durationMs / 1000);
  if (!exchange.stream) return `finish ${number} ${status} - -`;
  const size = receivedSize(exchange);
  // The judged answer is read to its end, or as far as it was read.
  if (exchange === shown || size === 0)
    return `finish ${number} ${status} 1000000000 ${seconds + (size === 0 ? 0 : 3)}`;
  return `finish ${number} ${status} ${size} ${seconds + 10}`;
}

/** What an answer reports as made is removed at the end, whatever its name. */
function madeLines({ number, exchange: { request } }: Step): string[] {
  const [, what] = /^\/v[\d.]+\/(containers|networks|volumes)\/create/.exec(request.path) ?? [];
  return what === undefined ? [] : [`made ${number} ${what === 'volumes' ? 'Name' : 'Id'}`];
}

function bodyLines({ number, exchange }: Step, words: Words): string[] {
  const { body } = exchange.request;
  if (body.truncated) throw new NoScript(`only the beginning of a body of ${body.size} bytes was kept`);
  const at = spanOf(exchange).begin;
  const feeds: string[] = [];
  let before = 0;
  for (const piece of exchange.stream ?? []) {
    if (piece.direction !== 'sent') continue;
    if (piece.truncated) throw new NoScript('only the beginning of what was sent on a stream was kept');
    const bytes = piece.base64 ?? Buffer.from(piece.text ?? '').toString('base64');
    const pause = Math.max(0.1, (piece.atMs - before) / 1000);
    feeds.push(`feed ${number} ${pause.toFixed(1)} ${bytes}`);
    before = piece.atMs;
  }
  if (body.size === 0) return feeds;
  if (isText(body)) {
    return [`body ${number} ${words.quote(body.text ?? '', at)}`, ...feeds];
  }
  return [`${writesBytes(Buffer.from(bytesOf(body)))} | bytes ${number}`, ...feeds];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
