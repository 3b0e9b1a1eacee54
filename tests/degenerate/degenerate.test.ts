import { describe, expect, test } from 'vitest';
import { endsMs, inOne, judged, of } from './judged.ts';

const few = ['system.*', 'versioning.*', 'containers.list.*'].flatMap((pattern) => ['--only', pattern]);

describe('a daemon that', () => {
  test.each([
    ['hangs', 3],
    ['closes at once', 3],
    ['always answers 400', 2],
    ['always answers 404', 2],
  ])('%s is told of in one line', async (name, status) => {
    const ended = await judged(name, await of(name));
    expect(ended.stderr).toMatch(/^error: .*\n$/);
    expect(ended.status).toBe(status);
    expect(ended.results).toEqual([]);
  });

  test.each([
    'always answers 403',
    'always answers 409',
    'always answers 500',
    'always answers 200 {}',
    'echoes the request',
  ])(
    '%s keeps no rule',
    async (name) => {
      const ended = await judged(name, await of(name), inOne);
      expect(ended.passed).toEqual([]);
      expect(ended.results.filter(({ verdict }) => verdict === 'error')).toEqual([]);
      expect(ended.status).toBe(1);
    },
    endsMs,
  );

  test(
    'answers every version as the oldest fails in the others',
    async () => {
      const name = "answers every version with 1.20's";
      const { results, status } = await judged(name, await of(name), few);
      const failed = (api: string) => results.filter((one) => one.api === api && one.verdict === 'fail');
      expect(status).toBe(1);
      expect(failed('1.20')).toEqual([]);
      expect(failed('1.23').length).toBeGreaterThan(0);
    },
    endsMs,
  );

  test(
    'drops every second connection is not taken for one that keeps the rules',
    async () => {
      const name = 'drops every second connection';
      const { results, status } = await judged(name, await of(name), few);
      expect(status).toBeOneOf([1, 3]);
      expect(results.filter(({ verdict }) => verdict === 'error')).toEqual([]);
    },
    endsMs,
  );
});
