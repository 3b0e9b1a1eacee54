import { expect, test } from 'vitest';
import { linted } from './linted.ts';

/** What the linter says of a check with this body. */
function lint(body: string): { readonly passes: boolean; readonly output: string } {
  const { status, output } = linted({
    'check.ts': `import { check } from '../../harness/check.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expect } from '../../harness/expect/expect.ts';

check('system.ping.answers-200', { faults: [] }, async ({ engine }) => {
${body}
  expect(await given(control(engine.get('/_ping'), 200), 200)).toHaveStatus(200);
});
`,
  });
  return { passes: status === 0, output };
}

test('a check that waits for everything passes the linter', () => {
  const { passes, output } = lint("  await engine.get('/info');");
  expect(output).not.toContain('noFloatingPromises');
  expect(passes, output).toBe(true);
});

test.each([
  ['a request', "  engine.get('/info');"],
  ['a step that is needed', "  given(engine.get('/info'), 200);"],
  ['a positive control', "  control(engine.get('/info'), 200);"],
])('%s that nothing waits for does not', (_what, body) => {
  const { passes, output } = lint(body);
  expect(output).toContain('noFloatingPromises');
  expect(passes).toBe(false);
});
