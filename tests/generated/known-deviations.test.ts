import { expect, test, vi } from 'vitest';
import { ExecInstance } from '../../reference/exec/instance.ts';
import { around, resultsOf, undone } from './planted.ts';

test('a command is not waited for where the daemon is known not to tell its end', async () => {
  undone();
  vi.spyOn(ExecInstance.prototype, 'running', 'get').mockReturnValue(true);
  const asked = new Map<string, number>();
  let starts = 0;
  around('GET /exec/{id}/json', (call, answer) => {
    asked.set(call.param('id'), (asked.get(call.param('id')) ?? 0) + 1);
    return answer();
  });
  around('POST /exec/{id}/start', (_call, answer) => {
    starts++;
    return answer();
  });
  const known = { '1.23': ['exec.inspect.running-state'] };
  const results = await resultsOf(['generated.models.exec'], '1.23', { known });
  expect(results.get('generated.models.exec')).toMatchObject({ verdict: 'pass' });
  expect(starts).toBeGreaterThan(5);
  // A sequence of at most 36 steps looks after every fourth and in the end; who waits for a command asks it some thirty times.
  expect(Math.max(...asked.values())).toBeLessThanOrEqual(12);
});
