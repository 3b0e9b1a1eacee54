import { describe, expect, test } from 'vitest';
import { Exchange } from '../../harness/engine/exchange.ts';
import { type AnswerExpectation, expect as expectAnswer, expectValue } from '../../harness/expect/expect.ts';
import type { ValueExpectation } from '../../harness/expect/value-expectation.ts';
import { dockerDialect, engineDialect } from '../../harness/target/dialect.ts';
import { judge } from '../../harness/verdict/judge.ts';
import { someRule } from './engines.ts';

const request = { method: 'GET', path: '/', headers: {} };
const headers = [
  ['Content-Type', 'Application/JSON; charset=utf-8'],
  ['X-Docker-Container-Path-Stat', 'e30='],
] as const;
const body = '{"DockerRootDir":"/r","Labels":{"DockerRootDir":"l"},"Size":9223372036854775807}';
const exchange = new Exchange('x1', request, { status: 200, headers, body: Buffer.from(body) }, dockerDialect);

async function verdictOf(use: () => void) {
  return (await judge(someRule, async () => use())).verdict;
}

describe('an expectation of an answer', () => {
  test.each<[string, (answer: AnswerExpectation) => void, 'pass' | 'fail']>([
    ['one of the statuses', (answer) => answer.toHaveStatus(200, 201), 'pass'],
    ['another status', (answer) => answer.toHaveStatus(204), 'fail'],
    ['a refusal', (answer) => answer.toBeRefused(), 'fail'],
    [
      'a header in any case',
      (answer) => answer.toHaveHeader('content-TYPE', 'application/json; charset=UTF-8'),
      'pass',
    ],
    ['a header that matches', (answer) => answer.toHaveHeader('Content-Type', /json/i), 'pass'],
    ['a header by its neutral name', (answer) => answer.toHaveHeader('X-Engine-Container-Path-Stat', 'e30='), 'pass'],
    ['a missing header', (answer) => answer.toHaveHeader('Date'), 'fail'],
    ['no header', (answer) => answer.toLackHeader('Date'), 'pass'],
    ['a media type without its parameters', (answer) => answer.toHaveMediaType('application/json'), 'pass'],
    ['another media type', (answer) => answer.toHaveMediaType('text/plain'), 'fail'],
    ['an empty body', (answer) => answer.toBeEmptyBody(), 'fail'],
    ['the text of the body', (answer) => answer.toHaveText(body), 'pass'],
    ['a field by its neutral name', (answer) => answer.field('EngineRootDir').toBe('/r'), 'pass'],
    [
      'a label that is spelt like a brand word',
      (answer) => answer.field('Labels').toBe({ DockerRootDir: 'l' }),
      'pass',
    ],
    ['an integer beyond 2^53, exactly', (answer) => answer.field('Size').toBe(9223372036854775807n), 'pass'],
    ['a field that is not there', (answer) => answer.field('Nothing').toBeAbsent(), 'pass'],
  ])('%s', async (_what, use, verdict) => {
    expect(await verdictOf(() => use(expectAnswer(exchange)))).toBe(verdict);
  });
});

describe('a refusal', () => {
  const answered = (method: string, path: string, status: number) => {
    const refused = { status, headers: [], body: Buffer.alloc(0) };
    return new Exchange('x1', { method, path, headers: {} }, refused, engineDialect);
  };

  test.each([
    ['a status that the endpoint lists', 'POST', '/v1.23/containers/create?name=a', 409, undefined],
    ['a status that fits bad input at every endpoint', 'GET', '/v1.23/networks?filters=x', 400, undefined],
    ['a status for another condition', 'GET', '/v1.23/containers/json?limit=x', 404, 'should'],
    ['a status that no document has', 'GET', '/v1.23/containers/json?limit=x', 418, 'should'],
    ['no status at all', 'GET', '/v1.23/containers/json?limit=x', 600, 'must'],
    ['a success', 'GET', '/v1.23/containers/json?limit=x', 200, 'must'],
    ['what is at no endpoint', 'GET', '/v1.23/nothing', 418, undefined],
  ])('by %s', async (_what, method, path, status, level) => {
    const { verdict, level: weight } = await judge(someRule, async () =>
      expectAnswer(answered(method, path, status)).toBeRefused(),
    );
    expect(verdict === 'fail' ? weight : undefined).toBe(level);
  });

  test.each([
    ['an error of the server where a status for bad input is listed', '/v1.23/containers/json?limit=x', 500, true],
    ['a bad parameter', '/v1.23/containers/json?limit=x', 400, false],
    ['an error of the server where none is listed', '/v1.23/containers/x/json', 500, false],
  ])('tells a reader of %s', async (_what, path, status, told) => {
    const { verdict, reason } = await judge(someRule, async () => {
      for (let time = 0; time < 2; time++) expectAnswer(answered('GET', path, status)).toBeRefused();
    });
    expect([verdict, reason]).toEqual(['pass', told ? 'refuses with 500 where 400 is listed for bad parameters' : '']);
  });
});

describe('an expectation of a value', () => {
  test.each<[unknown, (value: ValueExpectation) => void, 'pass' | 'fail']>([
    [{ a: 1, b: 2 }, (value) => value.toBe({ b: 2, a: 1 }), 'pass'],
    [{ a: 1 }, (value) => value.toBe({ a: 1, b: undefined }), 'fail'],
    [2, (value) => value.toBeOneOf(1, 2), 'pass'],
    [3, (value) => value.toBeOneOf(1, 2), 'fail'],
    [1, (value) => value.toDiffer(1), 'fail'],
    ['text', (value) => value.toMatch(/^te/), 'pass'],
    [7, (value) => value.toMatch(/7/), 'fail'],
    [['a', { b: 1 }], (value) => value.toContain({ b: 1 }), 'pass'],
    ['abc', (value) => value.toContain('d'), 'fail'],
    [undefined, (value) => value.toLack('a'), 'fail'],
    [['b'], (value) => value.toLack('a'), 'pass'],
    [5, (value) => value.toBeAtLeast(5), 'pass'],
    ['5', (value) => value.toBeAtLeast(5), 'fail'],
    [5, (value) => value.toBeAtMost(4), 'fail'],
    [null, (value) => value.toBeThere(), 'pass'],
    [undefined, (value) => value.toBeThere(), 'fail'],
  ])('%j', async (value, use, verdict) => {
    expect(await verdictOf(() => use(expectValue('the value', value, [exchange])))).toBe(verdict);
  });

  test('of bytes shows them', async () => {
    const decision = await judge(someRule, async () => {
      expectValue('the bytes', Buffer.from([1, 2, 65]), [exchange]).toSatisfy('zeros', () => false);
    });
    expect(decision).toMatchObject({ expected: 'the bytes: zeros', actual: '3 bytes: 01 02 41 ("\\u0001\\u0002A")' });
  });
});
