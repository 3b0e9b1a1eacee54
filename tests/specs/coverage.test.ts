import { describe, expect, test } from 'vitest';
import { allRules, isFieldRule, statedRules } from '../../specs/catalogue.ts';
import { coverage, emptyPatterns, placeOf, wrongRows } from '../../specs/coverage.ts';
import { documentSections, missingSections } from '../../specs/document-rows/index.ts';
import { type DocumentSection, noRule, row } from '../../specs/document-rows/row.ts';

const covered = coverage();

describe('the coverage map', () => {
  test('has every heading of the documents', () => {
    expect(missingSections()).toEqual([]);
  });

  test('has a rule or a reason for every statement, and never both', () => {
    for (const section of covered) {
      for (const { key, rules, reason } of section.rows) {
        expect(rules.length > 0, placeOf(section, key)).toBe(reason === undefined);
        expect(reason, placeOf(section, key)).not.toBe('');
      }
    }
  });

  test('has a statement or a reason for every heading', () => {
    for (const section of covered) {
      expect(section.rows.length > 0 || section.rules.length > 0, placeOf(section)).toBe(section.reason === undefined);
    }
  });

  test('names no rule that is not there', () => {
    expect(emptyPatterns()).toEqual([]);
  });

  test('has the row that a rule names, and no pattern besides that takes the rule', () => {
    expect(wrongRows()).toEqual([]);
  });

  test('has every rule under the heading it cites', () => {
    const under = new Map<string, Set<string>>();
    for (const section of covered) {
      for (const { id } of [section, ...section.rows].flatMap(({ rules }) => rules)) {
        under.set(id, (under.get(id) ?? new Set()).add(placeOf(section)));
      }
    }
    const strays = statedRules.filter((rule) => !under.get(rule.id)?.has(placeOf(rule)));
    expect(strays.map(({ id }) => id)).toEqual([]);
  });

  test('names statements once, in the order of the documents', () => {
    for (const section of covered) {
      const keys = section.rows.map(({ key }) => key);
      expect(new Set(keys).size, placeOf(section)).toBe(keys.length);
    }
    for (const document of [1, 2, 3]) {
      const lines = covered
        .filter(({ source }) => source[0] === document)
        .flatMap(({ line, rows }) => [line, ...rows.map((one) => one.line)]);
      expect(lines, `Document ${document}`).toEqual([...new Set(lines)].sort((one, other) => one - other));
    }
  });
});

describe('the map notices', () => {
  const [section] = documentSections.filter(({ source }) => source[1] === 'Stop a container');
  const changed = (rows: DocumentSection['rows']) => [{ ...(section as DocumentSection), rows }];

  test('a rule that is gone', () => {
    const without = allRules.filter(({ id }) => id !== 'containers.stop.unknown-answers-404');
    expect(emptyPatterns(without)).toEqual(['Document 2, Stop a container, 204, 304, 404, 500: unknown-answers-404']);
  });

  test('a rule that names its row', () => {
    const onlyNamed = coverage(allRules, changed([row(94, 't')]));
    expect(onlyNamed.flatMap(({ rows }) => rows.flatMap(({ rules }) => rules.map(({ id }) => id)))).toEqual([
      'containers.stop.waits-up-to-t',
      'containers.stop.t-default',
      'containers.stop.bad-t',
    ]);
  });

  test('a rule that names a row that is not there, or that takes it already', () => {
    const place = 'Document 2, Stop a container, t';
    const ofStop = allRules.filter(({ id }) => id === 'containers.stop.bad-t');
    expect(wrongRows(ofStop, changed([row(94, 'u')]))).toEqual([`containers.stop.bad-t: there is no ${place}`]);
    expect(wrongRows(ofStop, changed([row(94, 't', 'bad-*')]))).toEqual([
      `containers.stop.bad-t: a pattern of ${place} takes it already`,
    ]);
  });

  test('a statement without a rule', () => {
    const [{ rows } = { rows: [] }] = coverage(
      allRules,
      changed([row(94, 'u', 'no-such-rule'), noRule(95, '204', 'why')]),
    );
    expect(rows.map(({ rules, reason }) => [rules.length, reason])).toEqual([
      [0, undefined],
      [0, 'why'],
    ]);
  });

  test('fields by the names of their rows', () => {
    const fields = { ...(section as DocumentSection), fields: ['containers.inspect.field.State'] };
    const [{ rows } = { rows: [] }] = coverage(allRules, [{ ...fields, rows: [row(144, 'Running, Paused')] }]);
    expect(rows[0]?.rules.map(({ id }) => id)).toEqual([
      'containers.inspect.field.State.Paused',
      'containers.inspect.field.State.Running',
    ]);
  });
});

test('a rule of level should says which reading it rests on', () => {
  const bare = allRules.filter(
    (rule) => rule.level === 'should' && !isFieldRule(rule) && rule.interpretations.length === 0,
  );
  expect(bare.map(({ id }) => id)).toEqual([]);
});
