import type { Result } from '../../harness/events.ts';
import { isFieldRule } from '../../specs/catalogue.ts';
import type { Rule } from '../../specs/rule.ts';
import { type SeenAnswer, showingExchange } from './answers.ts';
import { isTelling, steadyText } from './steady.ts';

/** What was seen where a rule failed or was blocked. */
export type Seen =
  | { readonly is: 'not-served'; readonly endpoint: string; readonly said: string }
  /** No complete answer came. */
  | { readonly is: 'no-answer'; readonly endpoint: string; readonly failure: string }
  /** A success or an upgrade was required. */
  | { readonly is: 'refusal'; readonly endpoint: string; readonly status: number; readonly message: string }
  | { readonly is: 'other-refusal'; readonly endpoint: string; readonly status: number; readonly wanted: string }
  | { readonly is: 'accepted'; readonly endpoint: string; readonly status: number; readonly subject: string }
  | { readonly is: 'other-success'; readonly endpoint: string; readonly status: number; readonly wanted: string }
  | { readonly is: 'no-json'; readonly endpoint: string }
  /** `came` is undefined where the header is missing. */
  | { readonly is: 'header'; readonly endpoint: string; readonly name: string; readonly came: string | undefined }
  /** A field of an answer. */
  | { readonly is: 'field'; readonly endpoint: string; readonly field: string; readonly manner: Manner }
  /** A field of a request that the daemon does not show again. */
  | { readonly is: 'setting'; readonly endpoint: string; readonly field: string; readonly manner: Manner }
  | { readonly is: 'events'; readonly endpoint: string; readonly of: string; readonly name: string }
  /** An attribute of an event: `container` of `connect`; the labels of a thing are those of its kind, `volume`. */
  | { readonly is: 'attribute'; readonly endpoint: string; readonly of: string; readonly name: string }
  | { readonly is: 'otherwise'; readonly endpoint: string; readonly subject: string; readonly steady: string }
  /** The run ended before the rule was decided. */
  | { readonly is: 'not-reached'; readonly reason: string };

/** How a field differs: missing, null, of another type, or with another value. */
type Manner = 'missing' | 'null' | 'other';

/** A deviating verdict with what is known about it. */
export interface Sighting {
  readonly result: Result;
  readonly rule: Rule | undefined;
  readonly answer: SeenAnswer | undefined;
  readonly seen: Seen;
}

/** Derives from a failing or blocked verdict what was seen. */
export function sightingOf(result: Result, rule: Rule | undefined, answers: ReadonlyMap<string, SeenAnswer>): Sighting {
  const id = showingExchange(result);
  const answer = id === undefined ? undefined : answers.get(id);
  return { result, rule, answer, seen: seenBy(result, rule, answer) };
}

/** How the runner words that a rule is blocked because the run ended, and not by the target. */
const notReached = /^the (run ended before this check|run was ended during this check|target is gone)/;

/** Whether a verdict says only that the run ended before the rule was decided. */
export function isNotReached({ verdict, reason }: Pick<Result, 'verdict' | 'reason'>): boolean {
  return verdict === 'blocked' && notReached.test(reason);
}

/** Whether a reason says that the daemon was gone, and not that the user ended the run. */
export function isOfLostTarget(reason: string): boolean {
  return reason.startsWith('the target is gone');
}

function seenBy(result: Result, rule: Rule | undefined, answer: SeenAnswer | undefined): Seen {
  const own = result.endpoint ?? answer?.endpoint ?? '';
  const at = answer?.endpoint ?? own;
  const { shown } = result;
  if (isNotReached(result)) return { is: 'not-reached', reason: result.reason };
  const absent = / to be served$/.test(result.expected) ? result.expected.replace(/ to be served$/, '') : undefined;
  if (absent !== undefined) return { is: 'not-served', endpoint: absent, said: result.actual };
  if (answer && answer.status === undefined) {
    return { is: 'no-answer', endpoint: at, failure: failureIn(answer.failure ?? 'nothing came') };
  }
  // A fixture that many rules share fails once, and its exchange is not evidence of any of them.
  const stopped = result.verdict === 'blocked' ? stoppedBy(result, at, subjectOf(result.rule, rule)) : undefined;
  if (stopped) return stopped;
  const statuses = answer && statusesIn(result, answer);
  if (statuses) return byStatus(result, rule, statuses, answer);
  if (shown?.from?.part === 'header') {
    const missing = /^no header /.test(result.actual);
    const came = missing ? undefined : result.actual.replace(/^[\w-]+: /, '');
    return { is: 'header', endpoint: own, name: shown.from.name, came };
  }
  if (shown?.wanted?.is === 'json') return { is: 'no-json', endpoint: at };
  if (rule && isFieldRule(rule)) {
    const manner = mannerOf(result);
    return rule.id.includes('.body.')
      ? { is: 'setting', endpoint: own, field: rule.field.path, manner }
      : { is: 'field', endpoint: own, field: rule.field.path, manner };
  }
  const kindOfEvent = /^events\.kind\.(\w+)\.(\w+)$/.exec(result.rule);
  if (kindOfEvent) return { is: 'events', endpoint: own, of: kindOfEvent[1] ?? '', name: kindOfEvent[2] ?? '' };
  const attribute = attributeOf(result);
  if (attribute) return { is: 'attribute', endpoint: own, ...attribute };
  return { is: 'otherwise', endpoint: own, subject: subjectOf(result.rule, rule), steady: whatCame(result) };
}

function attributeOf({ rule, expected, verdict }: Result): { readonly name: string; readonly of: string } | undefined {
  if (verdict !== 'fail') return undefined;
  const [, labelled] = /^events\.attribute-labels-(\w+)$/.exec(rule) ?? [];
  if (labelled !== undefined) return { name: 'labels', of: labelled };
  const [, name, of] = /^([\w.]+) of (\w+): /.exec(expected) ?? [];
  return rule.startsWith('events.attribute-') && name !== undefined && of !== undefined ? { name, of } : undefined;
}

/** Why no complete answer came. How long the suite waits, and when it stops to, says nothing about the target. */
function failureIn(text: string): string {
  return timedOut.test(text) ? noAnswerInTime : steadyText(text);
}

const timedOut = /\bno answer within \d+ ms/;

/** The failure of an exchange that was waited for in vain. */
export const noAnswerInTime = 'no answer in time';

/** What stopped a check before its assertion, where its reason says more than its exchanges. */
function stoppedBy(result: Result, endpoint: string, subject: string): Seen | undefined {
  const { reason, evidence } = result;
  if (timedOut.test(reason)) return { is: 'no-answer', endpoint, failure: noAnswerInTime };
  const [, name, of] = /^(\w+) of (?:the|an?) (\w+) was not told$/.exec(reason) ?? [];
  if (name !== undefined && of !== undefined) return { is: 'events', endpoint, of, name };
  const isShared = evidence.length === 0 && reason.includes(' could not be had: ');
  return isShared ? { is: 'otherwise', endpoint, subject, steady: whatCame(result) } : undefined;
}

/** The status that came and the expected one, where they are what deviates. */
interface Statuses {
  readonly status: number;
  readonly wanted: string;
}

/** Of the answer, or where a check compares statuses as values. */
function statusesIn(result: Result, answer: SeenAnswer): Statuses | undefined {
  if (result.shown?.from?.part === 'status' && answer.status !== undefined) {
    return { status: answer.status, wanted: wantedStatus(result) };
  }
  const [, wanted] = /^the status: (\d{3}\b[\w ]*)$/.exec(result.expected) ?? [];
  return wanted !== undefined && /^\d{3}$/.test(result.actual) ? { status: Number(result.actual), wanted } : undefined;
}

function byStatus(
  result: Result,
  rule: Rule | undefined,
  { status, wanted }: Statuses,
  { endpoint, message }: SeenAnswer,
): Seen {
  if (status >= 400) {
    return /^[123]/.test(wanted)
      ? { is: 'refusal', endpoint, status, message: steadyText(message).slice(0, 200) }
      : { is: 'other-refusal', endpoint, status, wanted };
  }
  if (/^[123]/.test(wanted)) return { is: 'other-success', endpoint, status, wanted };
  const subject = subjectOf(result.rule, rule);
  // `read-only-volume-403` and `read-only-rootfs-403` refuse the same thing.
  return { is: 'accepted', endpoint, status, subject: /^[A-Z]/.test(subject) ? subject : firstWord(subject) };
}

/** `201`, `101 or 200`, `4xx or 5xx`: the expected status. */
function wantedStatus({ shown }: Result): string {
  const wanted = shown?.wanted;
  if (wanted?.is === 'one-of') return wanted.values.map(String).join(' or ');
  if (wanted?.is !== 'matching') return '';
  const classes = /^\^\[?(\d+)\]?$/.exec(wanted.pattern)?.[1] ?? '';
  return [...classes].map((digit) => `${digit}xx`).join(' or ');
}

function mannerOf({ actual, reason, verdict }: Result): Manner {
  const came = verdict === 'blocked' ? reason : actual;
  if (/^(no |nothing$|\[\]$)/.test(came)) return 'missing';
  return /^\[?null\]?$/.test(came) ? 'null' : 'other';
}

/**
 * What a rule is about at its endpoint: the parameter or field that its id names, or else the end of the id. `stdout`
 * of `containers.attach.stdout-default-false`, `filters.ancestor` of `containers.list.filters.ancestor-id`.
 */
function subjectOf(id: string, rule: Rule | undefined): string {
  const prefix = rule?.endpoint?.id;
  const rest = prefix !== undefined && id.startsWith(`${prefix}.`) ? id.slice(prefix.length + 1) : id;
  const last = rest.split('.').at(-1) ?? rest;
  const words = last.split('-');
  const [first = ''] = words;
  const filter = /(?:^|\.)filters[.-](\w+)/.exec(rest)?.[1];
  if (filter !== undefined) return `filters.${filter}`;
  if (/^X-/.test(last)) return /^(X(?:-[A-Z]\w*)+)/.exec(last)?.[1] ?? last;
  const named = words.find((word) => Object.hasOwn(rule?.endpoint?.parameters ?? {}, word));
  if (named !== undefined) return named;
  if (/^[A-Z]/.test(first)) return first;
  return words.length > 1 && rule?.kind === 'limit' ? first : last;
}

function firstWord(subject: string): string {
  return subject.split('-')[0] ?? subject;
}

/** What came, without what differs between runs; empty where that alone says nothing. */
function whatCame({ verdict, actual, reason }: Result): string {
  const text = steadyText(verdict === 'blocked' ? reason.replace(/^.*, got /s, '') : actual);
  return isTelling(text) ? text.replace(/\d+/g, '…') : '';
}
