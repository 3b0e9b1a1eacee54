import { readFileSync } from 'node:fs';
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml';
import { allRules } from '../../specs/catalogue.ts';
import type { Rule } from '../../specs/rule.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import { type DeviationKind, deviationKinds } from '../events.ts';
import { didYouMean } from '../nearest.ts';
import { isPattern, rulePattern, unmatched } from '../rule-pattern.ts';
import { UsageError } from '../usage-error.ts';
import { apisOf } from './apis.ts';

/** One reviewed deviation of a target. */
export interface BaselineEntry {
  /** Id of the rule, or a pattern of several. */
  readonly rule: string;
  /** The rules it is about: more than one only for a pattern. */
  readonly rules: readonly string[];
  /** The versions in which it occurs. */
  readonly apis: readonly ApiVersion[];
  /** The verdict it excuses. A rule is `blocked` when a deviation elsewhere keeps it from being decided. */
  readonly verdict: 'fail' | 'blocked';
  /** What the engine does instead. */
  readonly does: string;
  readonly reason: string;
  /** Whether it will be fixed, is intended, or is beyond the engine's platform. */
  readonly kind?: DeviationKind;
  /** Excuses only this particular deviation; absent: any deviation from the rule. */
  readonly fingerprint?: string;
  /** Where the deviation is discussed: an http(s) address. */
  readonly link?: string;
  /** Who is responsible for the entry. */
  readonly owner?: string;
  /** The last day on which it excuses anything, such as `2027-01-31`. */
  readonly expires?: string;
  /** Whether the deviation occurs only in some runs: then the entry also holds when the rule passes. */
  readonly intermittent?: boolean;
  /** The line of the file where the entry starts. */
  readonly line: number;
}

export interface Baseline {
  readonly file: string;
  readonly entries: readonly BaselineEntry[];
}

const members = [
  'rule',
  'apis',
  'verdict',
  'does',
  'reason',
  'kind',
  'fingerprint',
  'link',
  'owner',
  'expires',
  'intermittent',
];

/**
 * Reads a baseline: a YAML list of entries `{ rule, apis, verdict, does, reason, kind, fingerprint, link, owner,
 * expires, intermittent }`, of which `rule`, `does` and `reason` are required. The rule may be a pattern, and versions
 * may be ranges.
 * @throws UsageError with file and line for anything else, and for a rule that does not exist
 */
export function readBaseline(file: string, rules: readonly Rule[] = allRules): Baseline {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const hint = isMissing ? '; add --update-baseline to create it' : '';
    throw new UsageError(`cannot read the baseline: ${error instanceof Error ? error.message : String(error)}${hint}`);
  }
  return { file, entries: parseEntries(text, file, rules) };
}

function parseEntries(text: string, file: string, rules: readonly Rule[]): BaselineEntry[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [broken] = document.errors;
  if (broken) {
    throw new UsageError(`${file}:${lines.linePos(broken.pos[0]).line}: not valid YAML: ${broken.message}`);
  }
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null)) return [];
  if (!isSeq<Node>(contents))
    throw new UsageError(`${file}: a baseline must be a list of entries, each with rule, does and reason`);
  return contents.items.map((item) => {
    const { line } = lines.linePos(item.range?.[0] ?? 0);
    const where = `${file}:${line}`;
    if (!isMap(item)) throw new UsageError(`${where}: an entry must be a map with rule, does and reason`);
    return parseEntry(item, where, line, rules);
  });
}

function parseEntry(item: YAMLMap, where: string, line: number, rules: readonly Rule[]): BaselineEntry {
  const values: Record<string, unknown> = item.toJSON();
  const unknown = Object.keys(values).find((name) => !members.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(
      `${where}: '${unknown}' is not a key of an entry${didYouMean(unknown, members) || `; the keys are ${members.join(', ')}`}`,
    );
  }
  const rule = textOf(values, 'rule', where);
  const meant = rulesOf(rule, where, rules);
  const verdict = values.verdict ?? 'fail';
  if (verdict !== 'fail' && verdict !== 'blocked') {
    throw new UsageError(`${where}: verdict must be fail (the default) or blocked`);
  }
  const kind = kindOf(values, where);
  const fingerprint = values.fingerprint === undefined ? undefined : textOf(values, 'fingerprint', where);
  if (fingerprint !== undefined && !/^[0-9a-f]{12}$/.test(fingerprint)) {
    throw new UsageError(`${where}: fingerprint must be 12 hex digits in quotes, as a run prints it`);
  }
  if (fingerprint !== undefined && isPattern(rule)) {
    throw new UsageError(`${where}: a fingerprint belongs to one deviation; leave it out, or name a single rule`);
  }
  const link = optionalOf(values, 'link', where, /^https?:\/\/\S+$/, 'an http or https URL');
  const owner = optionalOf(values, 'owner', where, /\S/, 'a string');
  const expires = optionalOf(values, 'expires', where, /^\d{4}-\d\d-\d\d$/, 'a date such as 2027-01-31');
  return {
    rule,
    rules: meant.map(({ id }) => id),
    apis: apisOf(values.apis, { rule, meant }, where),
    verdict,
    does: textOf(values, 'does', where),
    reason: textOf(values, 'reason', where),
    ...(kind && { kind }),
    ...(fingerprint !== undefined && { fingerprint }),
    ...(link !== undefined && { link }),
    ...(owner !== undefined && { owner }),
    ...(expires !== undefined && { expires }),
    ...(intermittentOf(values, where) && { intermittent: true }),
    line,
  };
}

function kindOf({ kind }: Record<string, unknown>, where: string): DeviationKind | undefined {
  const known = deviationKinds.find((one) => one === kind);
  if (kind !== undefined && !known) throw new UsageError(`${where}: kind must be ${kindsInWords}`);
  return known;
}

const kindsInWords = "bug (to be fixed), intended (deliberate) or platform (what the engine's platform cannot do)";

function intermittentOf({ intermittent = false }: Record<string, unknown>, where: string): boolean {
  if (typeof intermittent !== 'boolean') throw new UsageError(`${where}: intermittent must be true or false`);
  return intermittent;
}

/** An optional member. */
function optionalOf(
  values: Record<string, unknown>,
  name: string,
  where: string,
  form: RegExp,
  isWhat: string,
): string | undefined {
  const value = values[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !form.test(value)) throw new UsageError(`${where}: ${name} must be ${isWhat}`);
  return value;
}

function textOf(values: Record<string, unknown>, name: string, where: string): string {
  const value = values[name];
  if (typeof value !== 'string' || value.trim() === '') throw new UsageError(`${where}: ${name} must be a string`);
  return value.trim();
}

function rulesOf(text: string, where: string, rules: readonly Rule[]): readonly Rule[] {
  const pattern = rulePattern(text);
  const meant = rules.filter(pattern.matches);
  if (meant.length === 0) throw new UsageError(`${where}: ${unmatched(pattern, rules)}`);
  return meant;
}
