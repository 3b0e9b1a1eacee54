import { createHash } from 'node:crypto';
import type { Result } from '../events.ts';
import { roleOfRun, withNames } from '../verdict/roles.ts';

/**
 * What differs between runs although the deviation is the same. Numbers of up to three digits are kept, as a status, an
 * exit code or a count is often the deviation itself.
 */
const volatile: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?/g, '<time>'],
  [/(?:(?<![0-9A-Za-z])|(?<=%[0-9A-F]{2}))ec-[a-z0-9]+-[\w.-]*/g, '<name>'],
  [/(?<=%3A)\d{4,}/g, '<n>'],
  [/\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b/gi, '<mac>'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, '<ip>'],
  [/\b(?=[0-9a-f]*\d)[0-9a-f]{11,}\b/gi, '<id>'],
  [/\b\d+(?:\.\d+)?(?= ?(?:ns|µs|us|ms|s|seconds?|bytes?|[KMG]i?B)\b)/g, '<n>'],
  [/\b\d{4,}(?:\.\d+)?\b/g, '<n>'],
];

/**
 * A short name of a deviation that is the same in every run and version: 12 hex digits derived from the rule, what was
 * expected and what came, without ids, times and the run's own names.
 */
export function fingerprintOf({ rule, expected, actual, reason, names = {}, generated }: Result): string {
  // Generated values depend on the seed; the rule that failed does not.
  if (generated) return hash([rule, generated.rule ?? '']);
  // For a blocked rule there is only the reason.
  const said = expected === '' && actual === '' ? [reason] : [expected, actual];
  // Exchanges, positions in streams and the run keep their roles, as they differ between runs.
  const keepsRole = ([role, name]: readonly [string, string]) => role === roleOfRun || /^(?:x|offset )\d+/.test(name);
  const named = Object.entries(names).filter((one) => !keepsRole(one));
  const spelt = Object.fromEntries(named.map(([role, name]) => [role, isIdentifier(role) ? withoutId(name) : name]));
  return hash([rule, ...said.map((text) => stableOf(withNames(text, spelt)))]);
}

function isIdentifier(role: string): boolean {
  return /\bidentifier\b/.test(role);
}

/** An identifier may have a form that no pattern finds. */
function withoutId(identifier: string): string {
  return identifier.startsWith('sha256:') ? 'sha256:<id>' : '<id>';
}

/** A result with the fingerprint of its deviation, if it has one. */
export function fingerprinted(result: Result): Result {
  const isDeviation = result.verdict === 'fail' || result.verdict === 'blocked';
  return isDeviation ? { ...result, fingerprint: fingerprintOf(result) } : result;
}

/** Where a text was cut depends on the lengths of the names in it; at least this much is always left. */
const leastOfCut = 100;

function stableOf(text: string): string {
  const stable = volatile.reduce((rest, [pattern, stands]) => rest.replace(pattern, stands), text);
  return stable.endsWith('…') ? stable.slice(0, leastOfCut) : stable;
}

function hash(texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 12);
}
