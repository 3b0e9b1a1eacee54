import { expect, test } from 'vitest';
import { linted } from './linted.ts';

const aCast = 'export const one = JSON.parse("1") as number;\n';

test('a cast that nothing checks does not pass the linter', () => {
  const { status, output } = linted({ 'one.ts': aCast });
  expect(output).toContain('nothing checks this cast');
  expect(status).toBe(1);
});

test.each([
  ['a constant', "export const one = { word: 'one' } as const;\n"],
  ['a cast with its reason', `// biome-ignore lint/plugin: it is a number\n${aCast}`],
  [
    'another name of an import',
    "import { join as joined } from 'node:path';\n\nexport const one = joined('a', 'b');\n",
  ],
])('%s does', (_what, text) => {
  const { status, output } = linted({ 'one.ts': text });
  expect(status, output).toBe(0);
});
