import { type Check, serverOf } from '../../harness/check.ts';
import type { RecordedBytes, RecordedExchange } from '../../harness/events.ts';
import type { Example, Shown } from '../../harness/runner/example.ts';
import { clientsOf, tripsOver } from '../../reports/clients/clients.ts';
import { bytesOf, cutBytes } from '../../reports/recorded-bytes.ts';
import { visible } from '../../reports/visible.ts';
import { isFieldRule } from '../../specs/catalogue.ts';
import type { Rule } from '../../specs/rule.ts';
import { contractPageOf } from '../contract-page.ts';
import { viewOf } from '../rule-view.ts';
import { causesOf } from './causes.ts';
import { excerpt } from './excerpt.ts';
import { placesOf } from './places.ts';
import { seenOf } from './seen.ts';
import { steady } from './steady.ts';

/** Bytes shown of a body. */
const shownOfBody = 400;

/** What was sent or answered, for a reader: without differences between runs, and truncated. */
interface ShownAnswer {
  /** Absent when no complete answer came. */
  readonly status?: number;
  readonly headers: readonly string[];
  readonly body: string;
  /** What was transferred on a hijacked connection. */
  readonly stream?: readonly string[];
  /** Why there is no complete answer. */
  readonly failure?: string;
}

/** Everything that is known about a rule. */
export type Explanation = ReturnType<typeof explanationOf>;

/** @param example absent if the rule has none, or it was not requested */
export function explanationOf(rule: Rule, check: Check | undefined, example: Example | undefined) {
  return {
    ...viewOf(rule, check),
    read: contractPageOf(rule),
    server: serverOf(rule),
    causes: causesOf(rule),
    seen: seenOf(rule.id),
    clients: clientsOf(rule),
    trips: tripsOver(rule),
    places: placesOf(rule),
    ...(example && { example: shownExample(rule, example) }),
  };
}

function shownExample(rule: Rule, { kept, broken }: Example) {
  const { verdict, reason, api } = kept.result;
  const { exchange } = kept;
  return {
    api,
    verdict,
    reason: steady(reason),
    ...(exchange && {
      request: { curl: steady(exchange.curl), body: bodyOf(exchange.request.body, rule) },
      conforming: answerOf(exchange, rule),
    }),
    ...(broken && { deviating: { fault: broken.fault, ...deviationOf(broken, rule) } }),
  };
}

function deviationOf({ result, exchange }: Shown, rule: Rule) {
  return {
    expected: steady(result.expected),
    actual: steady(result.actual),
    ...(exchange && { answer: answerOf(exchange, rule) }),
  };
}

function answerOf({ answer, stream, failure }: RecordedExchange, rule: Rule): ShownAnswer {
  return {
    ...(answer && { status: answer.status }),
    headers: (answer?.headers ?? [])
      .filter(([name]) => !everywhere.has(name.toLowerCase()))
      .map(([name, value]) => steady(`${name}: ${value}`)),
    body: answer ? bodyOf(answer.body, rule) : '',
    ...(stream && { stream: stream.map((piece) => `${piece.direction} ${piece.size} bytes: ${quoted(piece)}`) }),
    ...(failure !== undefined && { failure: steady(failure) }),
  };
}

/** Headers that say nothing about a rule. */
const everywhere = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']);

/** The field that the rule is about, if the body has it; otherwise the beginning of the body. */
function bodyOf(recorded: RecordedBytes, rule: Rule): string {
  if (recorded.base64 !== undefined) {
    return recorded.size <= shownOfBody ? quoted(recorded) : `(${recorded.size} bytes that are not text)`;
  }
  const text = recorded.text ?? '';
  const field = isFieldRule(rule) && recorded.size > 0 ? excerpt(text, rule.field.path) : undefined;
  if (field !== undefined) return steady(field);
  const cut = cutBytes(recorded, shownOfBody);
  return steady(cut.text ?? '').trimEnd() + (cut.truncated ? `… (${recorded.size} bytes)` : '');
}

/** The bytes, with escapes for those that are not text. */
function quoted(piece: RecordedBytes): string {
  const cut = cutBytes(piece, shownOfBody);
  const text = Buffer.from(bytesOf(cut)).toString('latin1');
  return steady(`'${visible(text).replaceAll('\n', '\\n')}'`) + (cut.truncated ? '…' : '');
}
