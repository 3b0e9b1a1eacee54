import { expect, test, vi } from 'vitest';
import { around, resultsOf } from '../generated/planted.ts';

test('the progress of a load may be in any of the members for it', { timeout: 60_000 }, async () => {
  around('POST /images/load', ({ res }, answer) => {
    const { write } = res;
    const shortened = (text: unknown) =>
      String(text).replaceAll(/"(?:status":"[^"]*"|progressDetail":\{[^}]*\}),/g, '');
    vi.spyOn(res, 'write').mockImplementation((text: unknown) => write.call(res, shortened(text), 'utf8'));
    return answer();
  });
  const rules = ['images.load.quiet-true', 'images.load.quiet-default-false', 'images.load.quiet-spellings'];
  const verdicts = [...(await resultsOf(rules, '1.23')).values()].map(({ verdict }) => verdict);
  expect(verdicts).toEqual(['pass', 'pass', 'pass']);
});
