import { describe, expect, test } from 'vitest';
import { allRules, isFieldRule, statedRules } from '../../specs/catalogue.ts';
import { coverage, placeOf, strayRules } from '../../specs/coverage.ts';
import { nameOfRow, rowOfField } from '../../specs/document-rows/index.ts';
import { noRule } from '../../specs/document-rows/row.ts';
import type { Rule } from '../../specs/rule.ts';

const covered = coverage();

describe('the documents', () => {
  test('have a rule or a reason for every statement, and never both', () => {
    for (const section of covered) {
      for (const { key, rules, reason } of section.rows) {
        expect(rules.length > 0, placeOf(section, key)).toBe(reason === undefined);
        expect(reason, placeOf(section, key)).not.toBe('');
      }
    }
  });

  test('have a statement or a reason below every heading', () => {
    for (const section of covered) {
      expect(section.rows.length > 0, placeOf(section)).toBe(section.reason === undefined);
    }
  });

  test('have every statement once', () => {
    for (const section of covered) {
      const keys = section.rows.map(({ key }) => key);
      expect(new Set(keys).size, placeOf(section)).toBe(keys.length);
    }
  });

  test('have the statement that a rule names, below the heading that it cites', () => {
    expect(strayRules().map((rule) => `${rule.id}: ${placeOf(rule, rule.row)}`)).toEqual([]);
  });

  test('name in Document 4 every rule that cites it', () => {
    for (const rule of statedRules.filter(({ source: [document] }) => document === 4)) {
      expect(rule.row, rule.id).toBeUndefined();
      const section = covered.find((one) => placeOf(one) === placeOf(rule));
      expect(
        section?.rows.some(({ rules }) => rules.includes(rule)),
        rule.id,
      ).toBe(true);
    }
  });
});

describe('it is noticed', () => {
  const source = [2, 'Stop a container'] as const;
  const ofStop = (row: string): Rule[] =>
    allRules.filter(({ id }) => id === 'containers.stop.bad-t').map((rule) => ({ ...rule, row }));

  test('that a rule names a statement that is not there', () => {
    expect(strayRules(ofStop('t'), [{ source, rows: ['t'] }])).toEqual([]);
    expect(strayRules(ofStop('u'), [{ source, rows: ['t'] }])).toEqual(ofStop('u'));
  });

  test('that a rule names a statement of another section', () => {
    expect(strayRules(ofStop('t'), [{ source: [2, 'Kill a container'], rows: ['t'] }])).toEqual(ofStop('t'));
  });

  test('that a statement has no rule', () => {
    const [section] = coverage(ofStop('t'), [{ source, rows: ['t', 'u', noRule('204', 'why')] }]);
    expect(section?.rows.map(({ key, rules, reason }) => [key, rules.length, reason])).toEqual([
      ['t', 1, undefined],
      ['u', 0, undefined],
      ['204', 0, 'why'],
    ]);
  });
});

test.each([
  ['HostConfig', 'HostConfig.BlkioWeightDevice[].Path', 'BlkioWeightDevice'],
  ['HostConfig', 'HostConfig', undefined],
  ['Container configuration', 'Config.AttachStdout', 'AttachStdin, AttachStdout, AttachStderr'],
  ['Container inspect object', 'State.Running', 'State'],
] as const)('a field of %s is of the row with its name: %s', (section, path, row) => {
  expect(rowOfField([1, section], path)).toBe(row);
});

test('names are those of rows with and without rules', () => {
  expect(['t', noRule('204', 'why')].map(nameOfRow)).toEqual(['t', '204']);
});

test('a rule of level should says which reading it rests on', () => {
  const bare = allRules.filter(
    (rule) => rule.level === 'should' && !isFieldRule(rule) && rule.interpretations.length === 0,
  );
  expect(bare.map(({ id }) => id)).toEqual([]);
});
