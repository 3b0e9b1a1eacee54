import { beforeAll, describe, expect, test } from 'vitest';
import { type Linted, linted, type Texts } from './linted.ts';

/** The linter reads the whole project. */
const aProjectMs = 300_000;

const aCast = 'export const one = JSON.parse("1") as number;\n';

const castsThatPass: Readonly<Record<string, Texts>> = {
  'a-constant': { 'one.ts': "export const one = { word: 'one' } as const;\n" },
  'a-cast-with-its-reason': { 'one.ts': `// biome-ignore lint/plugin: it is a number\n${aCast}` },
  'another-name-of-an-import': {
    'one.ts': "import { join as joined } from 'node:path';\n\nexport const one = joined('a', 'b');\n",
  },
};

const one = "import type { Other } from './other.ts';\n\nexport type One = Other | 1;\n";
const imports = {
  'one-way': { 'one.ts': one, 'other.ts': 'export type Other = 2;\n' },
  'in-a-circle': { 'one.ts': one, 'other.ts': "import type { One } from './one.ts';\n\nexport type Other = One[];\n" },
};

const floating: Readonly<Record<string, Texts>> = {
  'a-request': aCheck("  engine.get('/info');"),
  'a-step-that-is-needed': aCheck("  given(engine.get('/info'), 200);"),
  'a-positive-control': aCheck("  control(engine.get('/info'), 200);"),
};

/** A check with this in its body. */
function aCheck(body: string): Texts {
  return {
    'check.ts': `import { check } from '../../../harness/check.ts';
import { control, given } from '../../../harness/engine/given.ts';
import { expect } from '../../../harness/expect/expect.ts';

check('system.ping.answers-200', { faults: [] }, async ({ engine }) => {
${body}
  expect(await given(control(engine.get('/_ping'), 200), 200)).toHaveStatus(200);
});
`,
  };
}

const passing = {
  ...castsThatPass,
  'one-way': imports['one-way'],
  'waits-for-all': aCheck("  await engine.get('/info');"),
};
const failing = { 'a-cast': { 'one.ts': aCast }, 'in-a-circle': imports['in-a-circle'], ...floating };

describe('of all that the linter reads at once', () => {
  let all: Linted;

  beforeAll(() => {
    all = linted({ ...passing, ...failing });
  }, aProjectMs);

  test('something does not pass', () => {
    expect(all.status).toBe(1);
  });

  test.each(Object.keys(passing))('%s passes', (name) => {
    expect(all.said.get(name)).toBe('');
  });

  test('a cast that nothing checks does not', () => {
    expect(all.said.get('a-cast')).toContain('nothing checks this cast');
  });

  test('files that import each other do not, even where it is only types', () => {
    expect(all.said.get('in-a-circle')).toContain('noImportCycles');
  });

  test.each(Object.keys(floating))('a check with %s that nothing waits for does not', (name) => {
    expect(all.said.get(name)).toContain('noFloatingPromises');
  });
});
