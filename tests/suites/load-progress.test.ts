import { test, vi } from 'vitest';
import { around, expectVerdicts } from '../generated/planted.ts';

test('the progress of a load may be in any of the members for it', { timeout: 60_000 }, async () => {
  around('POST /images/load', ({ res }, answer) => {
    const { write } = res;
    const shortened = (text: unknown) =>
      String(text).replaceAll(/"(?:status":"[^"]*"|progressDetail":\{[^}]*\}),/g, '');
    vi.spyOn(res, 'write').mockImplementation((text: unknown) => write.call(res, shortened(text), 'utf8'));
    return answer();
  });
  await expectVerdicts('pass', '1.23', [
    'images.load.quiet-true',
    'images.load.quiet-default-false',
    'images.load.quiet-spellings',
  ]);
});
