import { describe, expect, test } from 'vitest';
import { Exchange } from '../../harness/engine/exchange.ts';
import { expectField, type FieldOptions } from '../../harness/expect/field-rule.ts';
import { engineDialect } from '../../harness/target/dialect.ts';
import { judge } from '../../harness/verdict/judge.ts';
import { rulebook } from '../../specs/catalogue.ts';
import type { FieldRule } from '../../specs/rule.ts';
import type { Schema } from '../../specs/schema.ts';
import { someRule } from './engines.ts';

const request = { method: 'GET', path: '/v1.20/containers/a/json', headers: {} };

/** The verdict on one field of an answer with this body. */
async function verdictOn(body: unknown, path: string, schema: Schema, options: FieldOptions = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = { status: 200, headers: [], body: Buffer.from(text) };
  const exchange = new Exchange('x1', request, answer, engineDialect);
  const rule: FieldRule = { ...someRule, field: { path, schema } };
  return judge(rule, async () => expectField(exchange, rule, options));
}

const text = (presence: Schema['presence'], more: Schema = {}): Schema => ({
  type: 'string',
  ...(presence && { presence }),
  ...more,
});

describe('a field of each presence', () => {
  const absent = {};
  const isNull = { A: null };
  test.each([
    ['must', absent, {}, 'fail', 'must'],
    ['must', isNull, {}, 'fail', 'must'],
    ['should', absent, {}, 'fail', 'should'],
    ['should', isNull, {}, 'fail', 'should'],
    ['echo', absent, {}, 'pass', 'must'],
    ['echo', isNull, {}, 'pass', 'must'],
    ['echo', absent, { set: true }, 'fail', 'must'],
    ['echo', isNull, { set: true }, 'fail', 'must'],
    ['optional', absent, {}, 'pass', 'must'],
    ['optional', isNull, { set: true }, 'pass', 'must'],
  ] as const)('%s: %o with %o is %s', async (presence, body, options, verdict, level) => {
    expect(await verdictOn(body, 'A', text(presence), options)).toMatchObject({ verdict, level, evidence: ['x1'] });
  });

  test.each(['must', 'should', 'echo', 'optional'] as const)(
    '%s: a value of another type is fail',
    async (presence) => {
      const decision = await verdictOn({ A: 7 }, 'A', text(presence));
      expect(decision).toMatchObject({ verdict: 'fail', level: 'must', actual: '7' });
      expect(decision.expected).toMatch(/^A: /);
    },
  );

  test('null passes where the type names it', async () => {
    expect((await verdictOn(isNull, 'A', { type: ['string', 'null'], presence: 'must' })).verdict).toBe('pass');
    expect((await verdictOn(absent, 'A', { type: ['string', 'null'], presence: 'must' })).verdict).toBe('fail');
  });
});

describe('the type of a field', () => {
  test.each<[Schema, unknown, boolean]>([
    [{ type: 'integer' }, 7, true],
    [{ type: 'integer' }, 7.5, false],
    [{ type: 'integer' }, '7', false],
    [{ type: 'number' }, 7.5, true],
    [{ type: 'boolean' }, 'true', false],
    [{ type: 'array', items: { type: 'string' } }, ['a'], true],
    [{ type: 'array', items: { type: 'string' } }, [], true],
    [{ type: 'array', items: { type: 'string' } }, [1], false],
    [{ type: 'object', additionalProperties: { type: 'string' } }, { a: 'b' }, true],
    [{ type: 'object', additionalProperties: { type: 'string' } }, { a: 1 }, false],
    [{ type: 'object', additionalProperties: { type: 'string' } }, [], false],
    [{ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, ['a'], true],
    [{ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, {}, false],
    [{ type: 'string', format: 'date-time' }, '2015-01-06T15:47:32.072697474Z', true],
    [{ type: 'string', format: 'date-time' }, 'yesterday', false],
    [{ type: 'string', pattern: '^[0-9a-f]+$' }, 'xyz', false],
    // What is inside has rules of its own.
    [{ type: 'object', properties: { B: { type: 'string', presence: 'must' } } }, { B: 7 }, true],
  ])('%j: %j', async (schema, value, holds) => {
    const decision = await verdictOn({ A: value }, 'A', { ...schema, presence: 'must' });
    expect(decision.verdict).toBe(holds ? 'pass' : 'fail');
  });

  test('an integer beyond 2^53 is an integer', async () => {
    expect((await verdictOn('{"A":9223372036854775807}', 'A', { type: 'integer' })).verdict).toBe('pass');
  });
});

describe('a field within lists and maps', () => {
  const path = 'Ports[].Type';
  test('is judged in each place; the gravest deviation counts', async () => {
    const decision = await verdictOn({ Ports: [{ Type: 'tcp' }, {}, { Type: 7 }] }, path, text('should'));
    expect(decision).toMatchObject({ verdict: 'fail', level: 'must', actual: '7' });
    const light = await verdictOn({ Ports: [{ Type: 'tcp' }, {}] }, path, text('should'));
    expect(light).toMatchObject({ verdict: 'fail', level: 'should', actual: 'no Ports[].Type' });
  });

  test('of each item, when the answer is a list', async () => {
    expect((await verdictOn([{ Id: 'a' }, { Id: 'b' }], 'Id', text('must'))).verdict).toBe('pass');
    expect((await verdictOn([{ Id: 'a' }, {}], 'Id', text('must'))).verdict).toBe('fail');
  });

  test('of those items only that are asked for', async () => {
    const options = { where: (object: object) => 'Id' in object };
    expect((await verdictOn([{ Id: 'a' }, {}], 'Id', text('must'), options)).verdict).toBe('pass');
  });

  test('of a map with any names', async () => {
    const body = { Networks: { one: { Gateway: '1' }, 'two.parts': { Gateway: 2 } } };
    expect((await verdictOn(body, 'Networks{}.Gateway', text('must'))).verdict).toBe('fail');
  });

  test.each([
    ['an empty list', { Ports: [] }],
    ['no list', {}],
    ['null', { Ports: null }],
    ['another type', { Ports: 'none' }],
  ])('cannot be judged where the answer holds %s: blocked, or skip when that may be so', async (_what, body) => {
    expect(await verdictOn(body, path, text('must'))).toMatchObject({ verdict: 'blocked', evidence: ['x1'] });
    expect(await verdictOn(body, path, text('must'), { mayHoldNothing: true })).toMatchObject({ verdict: 'skip' });
  });
});

test('an answer that is no JSON is a deviation', async () => {
  const decision = await verdictOn('<html>', 'A', text('optional'));
  expect(decision).toMatchObject({ verdict: 'fail', expected: 'a JSON body' });
});

describe('a field of an object that is not in the answer', () => {
  const verdictOf = (rule: FieldRule, body: object) => {
    const answer = { status: 200, headers: [], body: Buffer.from(JSON.stringify(body)) };
    return judge(rule, async () => expectField(new Exchange('x1', request, answer, engineDialect), rule));
  };

  test('is left to the rule of the object where the documents are loose about it', async () => {
    const decision = await verdictOf(rulebook['exec.inspect.field.Container.Args'], { ID: 'a' });
    expect(decision).toMatchObject({
      verdict: 'skip',
      reason: 'Container is not in the answer, which is judged by exec.inspect.field.Container',
    });
  });

  test('is blocked where the object has to be there', async () => {
    const decision = await verdictOf(rulebook['containers.inspect.field.State.Running'], { Id: 'a' });
    expect(decision).toMatchObject({ verdict: 'blocked' });
  });
});
