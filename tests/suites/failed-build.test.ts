import { expect, test } from 'vitest';
import type { Result } from '../../harness/events.ts';
import type { RuleId } from '../../specs/catalogue.ts';
import { around, resultsOf } from '../generated/planted.ts';

/** The results where no build makes an image, and all tell the same error. */
async function resultsWithout(rules: readonly RuleId[]): Promise<readonly Result[]> {
  around('POST /build', ({ res }) => {
    res.writeHead(200, { 'content-type': 'application/json' });
    const message = 'no space is left for the image';
    res.end(`${JSON.stringify({ error: message, errorDetail: { message } })}\n`);
  });
  const results = await resultsOf(rules, '1.23');
  expect([...results.keys()].toSorted()).toEqual(rules);
  return [...results.values()];
}

test.each([
  ['fail', ['images.build.context.gzip', 'images.build.parameter.dockerfile', 'images.build.parameter.t-name']],
  ['blocked', ['images.build.answers-200', 'images.build.in-order', 'images.build.media-type']],
] as const)('where a build makes no image, its error says why rules %s', async (verdict, rules) => {
  for (const result of await resultsWithout(rules)) {
    expect(result).toMatchObject({ verdict });
    expect(result.reason).toContain('no space is left for the image');
    // The answers to the build and to the question for its image.
    expect(result.evidence).toHaveLength(2);
  }
});
