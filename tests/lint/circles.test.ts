import { expect, test } from 'vitest';
import { linted } from './linted.ts';

/** The linter reads the whole project each time. */
const aProjectMs = 180_000;

const one = "import type { Other } from './other.ts';\n\nexport type One = Other | 1;\n";

test(
  'files that import one way pass the linter',
  () => {
    const { status, output } = linted({ 'one.ts': one, 'other.ts': 'export type Other = 2;\n' });
    expect(status, output).toBe(0);
  },
  aProjectMs,
);

test(
  'files that import each other do not, even where it is only types',
  () => {
    const { status, output } = linted({
      'one.ts': one,
      'other.ts': "import type { One } from './one.ts';\n\nexport type Other = One[];\n",
    });
    expect(output).toContain('noImportCycles');
    expect(status).toBe(1);
  },
  aProjectMs,
);
