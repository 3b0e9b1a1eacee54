import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A directory of this test file alone, removed after it. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'ec-reports-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
