import { describe, expect, test } from 'vitest';
import { isRuleId, type RuleId, rulebook } from '../../specs/catalogue.ts';
import { bodyRules, fieldRules, describe as inWords } from '../../specs/fields.ts';
import { fieldsOf, type Schema } from '../../specs/schema.ts';

const inner = {
  title: 'Inner',
  type: 'object',
  properties: { Old: { type: 'string', presence: 'should', until: '1.20' }, Name: { presence: 'must' } },
} as const satisfies Schema;

const outer = {
  type: 'object',
  properties: {
    List: { type: 'array', items: { $ref: inner }, presence: 'should', source: [1, 'Volume'] },
    Map: { type: 'object', additionalProperties: { $ref: inner }, presence: 'echo', since: '1.21' },
    Whole: { $ref: inner, whole: true, presence: 'optional' },
    Size: { type: 'integer', presence: 'must', when: 'when size is asked for', says: 'in bytes' },
    Loose: { presence: 'should' },
  },
} as const satisfies Schema;

const defaults = { source: [1, 'Network'] as const };

test('fields are listed at every depth, with what they have from the objects around them', () => {
  expect(fieldsOf(outer).map(({ path }) => path)).toEqual([
    'List',
    'List[].Old',
    'List[].Name',
    'Map',
    'Map{}.Old',
    'Map{}.Name',
    'Whole',
    'Size',
    'Loose',
  ]);
  const fields = new Map(fieldsOf(outer).map(({ path, schema }) => [path, schema]));
  expect(fields.get('List[].Name')?.source).toEqual([1, 'Volume']);
  expect(fields.get('Map{}.Name')?.since).toBe('1.21');
});

describe('rules of an answer', () => {
  const rules = fieldRules('volumes.inspect', defaults, outer);

  test('say what the field is', () => {
    expect(rules['volumes.inspect.field.List'].says).toBe('has List, a list of objects');
    expect(rules['volumes.inspect.field.Size'].says).toBe('has Size, an integer: in bytes, when size is asked for');
    expect(rules['volumes.inspect.field.Loose'].says).toBe('has Loose');
  });

  test('have the level and the interpretations that the presence brings', () => {
    expect(rules['volumes.inspect.field.Loose']).toMatchObject({
      level: 'should',
      interpretations: ['absent-when-empty'],
    });
    expect(rules['volumes.inspect.field.List']).toMatchObject({
      level: 'must',
      interpretations: ['absent-when-empty', 'null-for-empty'],
    });
    expect(rules['volumes.inspect.field.List[].Name'].source).toEqual([1, 'Volume']);
  });
});

test('rules of a body do not speak of what answers leave out', () => {
  const rules = bodyRules('volumes.create', defaults, outer);
  expect(rules['volumes.create.body.List']).toMatchObject({
    says: 'accepts List, a list of objects',
    interpretations: [],
  });
});

test('a field of an endpoint that came later came no earlier', () => {
  expect(rulebook['containers.update.body.MemoryReservation'].since).toBe('1.23');
  expect(rulebook['containers.create.body.HostConfig.MemoryReservation'].since).toBe('1.21');
  expect(rulebook['containers.create.body.HostConfig.LxcConf'].until).toBe('1.21');
});

test('shapes are put into words', () => {
  expect(inWords({ type: ['string', 'integer'] })).toBe('a string or an integer');
  expect(inWords({ type: 'array', items: { type: 'array', items: { type: 'string' } } })).toBe(
    'a list of lists of strings',
  );
  expect(inWords({ type: 'object', additionalProperties: {} })).toBe('a map');
  expect(inWords({ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] })).toBe(
    'a string or a list of strings',
  );
  expect(inWords({})).toBe('');
});

test('a misspelt id does not compile', () => {
  // @ts-expect-error: there is no such rule.
  const misspelt: RuleId = 'containers.stop.stoped-answers-304';
  expect(isRuleId(misspelt)).toBe(false);
  const right: RuleId = 'containers.inspect.field.State.Running';
  expect(isRuleId(right)).toBe(true);
});
