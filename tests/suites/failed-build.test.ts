import { expect, test } from 'vitest';
import { around, resultsOf } from '../generated/planted.ts';

test('where a build makes no image, its error says why', async () => {
  around('POST /build', ({ res }) => {
    res.writeHead(200, { 'content-type': 'application/json' });
    const message = 'no space is left for the image';
    res.end(`${JSON.stringify({ error: message, errorDetail: { message } })}\n`);
  });
  const rules = ['images.build.context.gzip', 'images.build.parameter.dockerfile', 'images.build.parameter.t-name'];
  const results = await resultsOf(rules, '1.23');
  expect([...results.keys()].toSorted()).toEqual(rules);
  for (const [rule, { verdict, reason, evidence }] of results) {
    expect({ rule, verdict, reason }).toMatchObject({ verdict: 'fail' });
    expect(reason).toContain('no space is left for the image');
    // The answers to the build and to the question for its image.
    expect(evidence).toHaveLength(2);
  }
});
