import { describe, expect, test } from 'vitest';
import { endsMs, inOne, judged, of } from './judged.ts';

describe('a daemon that', () => {
  // What it says of itself may be right, and so is that it refuses a newer client.
  test.each([400, 403, 404, 409, 500])(
    'refuses all but who it is with %i keeps no other rule',
    async (refusal) => {
      const name = `refuses all but who it is with ${refusal}`;
      const ended = await judged(name, await of(name), inOne);
      expect(
        ended.passed.filter((rule) => !/^(?:system\.(?:ping|version|info)|versioning|service)\./.test(rule)),
      ).toEqual([]);
      expect(ended.passed.includes('versioning.newer-client-400')).toBe(refusal === 400);
      expect(ended.results.filter(({ verdict }) => verdict === 'error')).toEqual([]);
    },
    endsMs,
  );
});
