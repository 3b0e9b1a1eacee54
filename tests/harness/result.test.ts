import { expect, test } from 'vitest';
import { fingerprintOf } from '../../harness/baseline/fingerprint.ts';
import { Redactor } from '../../harness/recording/redact.ts';
import { resultOf } from '../../harness/runner/result.ts';
import type { Decision } from '../../harness/verdict/judge.ts';
import type { KnownNames } from '../../harness/verdict/roles.ts';
import type { Wanted } from '../../harness/verdict/shown.ts';
import { allRules } from '../../specs/catalogue.ts';

const secret = 'canary "word"';
const redactor = new Redactor([secret]);

const decision: Decision = {
  verdict: 'fail',
  level: 'must',
  reason: `told ${secret}`,
  expected: `not ${secret}`,
  actual: JSON.stringify(secret),
  evidence: ['x1'],
  assertions: 1,
  broken: false,
};

const container = 'a1'.repeat(32);
/** Identifiers of engines that write them otherwise. */
const others = ['3F2504E0-4f89-41d3-9a0c-0305e82c3301', 'ghijklmnopqrstuv'.repeat(4), 'c-00000017'];
const known: KnownNames = {
  run: 'mabcdefghijk',
  kindOf: (name) => (name.endsWith('-probe') ? undefined : name.endsWith('9') ? 'volume' : 'container'),
  identified: (identifier) => {
    const own = [container, ...others].find((id) => id.startsWith(identifier));
    return own === undefined ? undefined : { name: 'ec-mabcdefghijk-001', isWhole: own === identifier };
  },
};

function told(more: Partial<Decision>): ReturnType<typeof resultOf> {
  const rule = allRules.find(({ id }) => id === 'system.ping.answers-200');
  if (!rule) throw new Error('the rule is gone');
  return resultOf(rule, '1.23', { ...decision, ...more }, redactor, 5, known);
}

test('what was expected and what came are told without secrets', () => {
  expect(told({})).toMatchObject({
    reason: 'told [redacted]',
    expected: 'not [redacted]',
    actual: '"[redacted]"',
    endpoint: 'GET /_ping',
    durationMs: 5,
  });
});

test('a deviation names things by their role, and says what each was', () => {
  const image = `sha256:${'0b'.repeat(32)}`;
  const result = told({
    expected: '/ec-mabcdefghijk-002 on ec-mabcdefghijk-009',
    actual: `${container.slice(0, 12)} of ec-mabcdefghijk-probe:latest, ${image} and ec-mabcdefghijk-002 at 2026-01-02T03:04:05Z`,
    reason: `POST /containers/ec-mabcdefghijk-001/start (x1) answered "no x2 in ec-mabcdefgh…"`,
  });
  expect(result).toMatchObject({
    expected: '/the first container on the first volume',
    actual:
      'the short identifier of the second container of the probe image, the first identifier and the first container at the first time',
    reason: 'POST /containers/the second container/start (the first exchange) answered "no x2 in …"',
    names: {
      'the first container': 'ec-mabcdefghijk-002',
      'the first volume': 'ec-mabcdefghijk-009',
      'the short identifier of the second container': container.slice(0, 12),
      'the first identifier': image,
      'the first exchange': 'x1',
    },
  });
});

test.each(others)('identifiers may be written otherwise: %s', (identifier) => {
  const texts = (id: string) =>
    told({
      expected: 'an answer',
      actual: `no such container: ${id}`,
      reason: `GET /containers/${id}/json answered 404`,
    });
  const result = texts(identifier);
  expect(result.actual).toBe('no such container: the identifier of the first container');
  expect(result.reason).toBe('GET /containers/the identifier of the first container/json answered 404');
  expect(fingerprintOf(result)).toBe(fingerprintOf(texts(container)));
});

test('a UUID is an identifier, whatever it is of', () => {
  const [one, other] = ['936da01f-9abd-4d9d-80c7-02af85c822a8', '936DA01F-9ABD-4D9D-80C7-02AF85C822A9'].map((id) =>
    told({ expected: 'none', actual: `{"EndpointID":"${id}"}` }),
  );
  expect(one?.actual).toBe('{"EndpointID":"the first identifier"}');
  expect(one && fingerprintOf(one)).toBe(other && fingerprintOf(other));
});

test('names and addresses in a query are named by their role as well', () => {
  const at = (port: string, name: string) =>
    told({
      reason: `POST /images/create?fromImage=127.0.0.1%3A${port}%2Fec-mabcdefghijk-${name}&tag= answered 404`,
      expected: '',
      actual: '',
    });
  const [one, other] = [at('38625', '06s'), at('37507', '06r')];
  expect(one.reason).toBe('POST /images/create?fromImage=the first address%2Fthe first container&tag= answered 404');
  expect(other.reason).toBe(one.reason);
  expect(fingerprintOf(other)).toBe(fingerprintOf(one));
});

test('where a stream breaks its format is a place, whose bytes stand beside it', () => {
  const blockedAt = (place: string) =>
    told({
      expected: '',
      actual: '',
      reason: `the stream cannot be read: a stream type other than 0, 1 and 2 at ${place}`,
    });
  const [one, other] = [blockedAt('offset 18: 0a 02 00'), blockedAt('offset 9: 0a')];
  expect(one.reason).toBe('the stream cannot be read: a stream type other than 0, 1 and 2 at the first place');
  expect(one.names).toEqual({ 'the first place': 'offset 18: 0a 02 00' });
  expect(other.reason).toBe(one.reason);
  expect(fingerprintOf(other)).toBe(fingerprintOf(one));
});

test('what tells one deviation from another stays', () => {
  const texts = {
    expected: 'the header 74206d6520746f20, 67108864 bytes or 0001-01-01T00:00:00Z',
    actual: '9223372036854771712 on 127.0.0.1 and x12',
  };
  expect(told(texts)).toMatchObject(texts);
  expect(
    told({ actual: 'from 127.0.0.1:44963 to 198.18.215.152/29 by aa:2e:e7:5a:2d:30, and "ec-mabcdefghijk"…' }),
  ).toMatchObject({
    actual: 'from the first address to the second address by the first hardware address, and ""…',
  });
});

test('a fingerprint is that of the texts as they came, whatever the names are', () => {
  const spelt = { expected: '', actual: '/ec-mabcdefghijk-002 has sha256:0123456789ab', reason: '' };
  const before = { ...told({}), ...spelt };
  expect(fingerprintOf(told(spelt))).toBe(fingerprintOf(before));
});

test('a fingerprint has neither the id of the run nor an identifier, however short', () => {
  const actual = '{"com.engine-conformance.run":"the id of the run","made":"the first identifier"}';
  const inRun = (run: string, identifier: string) => ({
    ...told({ actual }),
    names: { 'the id of the run': run, 'the first identifier': identifier },
  });
  const one = fingerprintOf(inRun('mabcdefghijk', '2fc147498fc'));
  expect(fingerprintOf(inRun('mzyxwvutsrqp', '8a025acc2ad'))).toBe(one);
});

test.each<Wanted>([
  { is: 'other-than', value: `status 400 (${secret})` },
  { is: 'like', value: { a: [{ [secret]: 1 }] } },
  { is: 'with', value: secret },
  { is: 'without', value: [JSON.stringify(secret)] },
  { is: 'one-of', values: [1, secret] },
  { is: 'matching', pattern: secret, anyCase: false },
])('a value to compare with that has a secret in it ($is) is left out', (wanted) => {
  expect(told({ shown: { exchange: 'x1', from: { part: 'text' }, wanted } }).shown).toEqual({ exchange: 'x1' });
});

test.each<Wanted>([
  { is: 'other-than', value: 'status 400' },
  { is: 'at-least', value: 4 },
])('one without is kept ($is)', (wanted) => {
  const shown = { exchange: 'x1', from: { part: 'text' }, wanted } as const;
  expect(told({ shown }).shown).toEqual(shown);
});

test('a generated test is told without secrets, and its script keeps the names of its variables', () => {
  const generated = { seed: 1, runs: 1, shrinks: 0 };
  const texts = { input: secret, steps: [`GET /${secret}`], script: `password="$SECRET"\n# ${secret}` };
  expect(told({ generated: { ...generated, ...texts } }).generated).toEqual({
    ...generated,
    ...{ input: '[redacted]', steps: ['GET /[redacted]'], script: 'password="$SECRET"\n# [redacted]' },
  });
});
