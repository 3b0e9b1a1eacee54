import { describe, expect, test } from 'vitest';
import { isFieldRule, statedRules } from '../../specs/catalogue.ts';
import { headings } from '../../specs/headings.ts';
import { laterSections } from '../../specs/later/index.ts';
import type { LaterRow } from '../../specs/later/row.ts';
import type { Rule } from '../../specs/rule.ts';
import {
  atLeast,
  type CarriedVersion,
  carriedVersions,
  holdsIn,
  isDocumented,
  newestDocumented,
  versionBefore,
} from '../../specs/versions.ts';
import { wildcard } from '../../specs/wildcard.ts';

const rows = laterSections.flatMap((section) => section.rows);

describe('the rows of Document 4', () => {
  test('stand under every heading, each once', () => {
    expect(laterSections.map(({ heading }) => heading)).toEqual(headings[4]);
    const keys = rows.map(({ name, from }) => `${name} ${from}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('change something, or say why they change nothing', () => {
    for (const { name, ends, begins, eases, noRule } of rows) {
      const ways = [ends ?? begins ?? eases, noRule].filter((way) => way !== undefined);
      expect(ways.length, name).toBe(1);
      expect(noRule, name).not.toBe('');
    }
  });
});

describe.each(carriedVersions)('version %s', (version) => {
  test('differs from the one before it by what the rows say, and by nothing else', () => {
    expect(differencesOf(version)).toEqual(claimsOf(version));
  });
});

describe('rules that let more pass from a version on', () => {
  test('are judged still: a field that may be absent has a type', () => {
    const fields = statedRules.filter(isFieldRule).filter(({ field }) => field.schema.later?.presence === 'optional');
    expect(fields.length).toBeGreaterThan(0);
    for (const { id, field } of fields) {
      expect(field.schema.type ?? field.schema.items ?? field.schema.$ref, id).toBeDefined();
    }
  });
});

/** What becomes of rules in a version, each as `ends ID`, `begins ID` or `eases ID`. */
function differencesOf(version: CarriedVersion): string[] {
  const before = versionBefore(version);
  if (before === undefined) return [];
  return statedRules
    .flatMap((rule) => {
      const [had, has] = [holdsIn(rule, before), holdsIn(rule, version)];
      if (had && !has) return [`ends ${rule.id}`];
      if (!had && has) return [`begins ${rule.id}`];
      return has && laterOf(rule) === version ? [`eases ${rule.id}`] : [];
    })
    .toSorted();
}

function laterOf(rule: Rule): CarriedVersion | undefined {
  return isFieldRule(rule) ? rule.field.schema.later?.since : rule.later?.since;
}

function claimsOf(version: CarriedVersion): string[] {
  const claims = rows.filter(({ from }) => from === version).flatMap(claimsOfRow);
  expect(new Set(claims).size, 'two rows claim the same').toBe(claims.length);
  return claims.toSorted();
}

function claimsOfRow({ name, ends = [], begins = [], eases = [] }: LaterRow): string[] {
  return Object.entries({ ends, begins, eases }).flatMap(([verb, patterns]) =>
    patterns.flatMap((pattern) => {
      const matching = rulesLike(pattern).filter((rule) => isChangedSo(rule, verb));
      expect(matching.length, `${name} ${verb} ${pattern}`).toBeGreaterThan(0);
      return matching.map(({ id }) => `${verb} ${id}`);
    }),
  );
}

/** A pattern may match rules that other rows are about; it claims those that change so somewhere. */
function isChangedSo(rule: Rule, verb: string): boolean {
  if (verb === 'eases') return laterOf(rule) !== undefined;
  const { since, until } = rule;
  return verb === 'ends'
    ? until !== undefined && atLeast(until, newestDocumented)
    : since !== undefined && !isDocumented(since);
}

function rulesLike(pattern: string): Rule[] {
  const whole = wildcard(pattern);
  return statedRules.filter(({ id }) => whole.test(id));
}
