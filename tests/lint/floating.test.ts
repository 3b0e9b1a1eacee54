import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What the linter says of a check with this body, which lies among the suites for a moment. */
function lint(body: string): { readonly passes: boolean; readonly output: string } {
  const directory = mkdtempSync(path.join(root, 'suites', 'linted-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = path.join(directory, 'check.ts');
  writeFileSync(
    file,
    `import { check } from '../../harness/check.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expect } from '../../harness/expect/expect.ts';

check('system.ping.answers-200', { faults: [] }, async ({ engine }) => {
${body}
  expect(await given(control(engine.get('/_ping'), 200), 200)).toHaveStatus(200);
});
`,
  );
  const biome = path.join(root, 'node_modules', '.bin', 'biome');
  const { status, stdout, stderr } = spawnSync(biome, ['lint', '--vcs-enabled=false', file], {
    cwd: root,
    encoding: 'utf8',
  });
  return { passes: status === 0, output: stdout + stderr };
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
