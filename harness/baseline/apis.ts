import type { Rule } from '../../specs/rule.ts';
import { type ApiVersion, apiVersions, atLeast, holdsIn, isApiVersion, isDocumented } from '../../specs/versions.ts';
import { UsageError } from '../usage-error.ts';

/**
 * The versions of an entry that names none: the documented ones in which one of its rules holds. Later versions had not
 * been looked at when it was reviewed, so they must be named; but a rule that exists only in these holds in all of
 * them.
 */
export function apisWithoutList(...rules: readonly Rule[]): readonly ApiVersion[] {
  const holding = heldIn(rules, apiVersions);
  const documented = holding.filter(isDocumented);
  return documented.length > 0 ? documented : holding;
}

interface Meant {
  /** As written in the entry. */
  readonly rule: string;
  readonly meant: readonly Rule[];
}

/**
 * The versions that an entry names: single ones, ranges such as `1.24-1.40` or `1.24-`, and `*` for all. Single ones
 * are written in quotes: otherwise YAML reads 1.20 as the number 1.2. A range means those of its versions that have the
 * rule.
 * @throws UsageError for anything else, and for versions without the rule
 */
export function apisOf(value: unknown, { rule, meant }: Meant, where: string): readonly ApiVersion[] {
  if (value === undefined) return apisWithoutList(...meant);
  const form = `${where}: apis must be a list of versions in quotes, such as ['1.20', '1.21'], a range ('1.24-1.40', '1.24-'), or '*'`;
  const members: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (members.length === 0) throw new UsageError(form);
  const apis = members.flatMap((member) => {
    const range = typeof member === 'string' ? rangeOf(member) : undefined;
    if (!range) throw new UsageError(form);
    const holding = heldIn(meant, range);
    if (holding.length === 0) throw new UsageError(`${where}: ${rule} does not exist in API ${member}`);
    return holding;
  });
  return apiVersions.filter((version) => apis.includes(version));
}

/** The versions in one member of the list; undefined when it is malformed. */
function rangeOf(text: string): readonly ApiVersion[] | undefined {
  if (text.trim() === '*') return apiVersions;
  const [, first = '', dash, last = ''] = /^\s*([\d.]*)\s*(-?)\s*([\d.]*)\s*$/.exec(text) ?? [];
  if (dash === '') return isApiVersion(first) ? [first] : undefined;
  const ends = [first, last].filter((end) => end !== '');
  if (ends.length === 0 || !ends.every(isApiVersion)) return undefined;
  const range = apiVersions.filter(
    (version) => (!isApiVersion(first) || atLeast(version, first)) && (!isApiVersion(last) || atLeast(last, version)),
  );
  return range.length > 0 ? range : undefined;
}

function heldIn(rules: readonly Rule[], versions: readonly ApiVersion[]): readonly ApiVersion[] {
  return versions.filter((version) => rules.some((rule) => holdsIn(rule, version)));
}
