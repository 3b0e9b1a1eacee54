import { expect, test, vi } from 'vitest';
import { around, resultsOf } from '../generated/planted.ts';

test('a login may be answered with 204, which has no body', { timeout: 60_000 }, async () => {
  around('POST /auth', (call, answer) => {
    vi.spyOn(call, 'answer').mockImplementationOnce(() => call.answerEmpty(204));
    return answer();
  });
  const members = ['system.auth.field.Status', 'system.auth.field.IdentityToken'];
  const results = await resultsOf(['system.auth.good-credentials', ...members], '1.23');
  expect(results.get('system.auth.good-credentials')?.verdict).toBe('pass');
  for (const member of members) expect(results.get(member)?.verdict, member).toBe('skip');
});
