import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

/** A directory of the test file that runs, removed at its end. */
export let workplace = '';

const endings: (() => void)[] = [];

/** Does something when the test file that runs is over, before its directory is removed. */
export function atEndOfFile(ending: () => void): void {
  endings.push(ending);
}

/** To be called for each test file, as one thread runs many of them with the same modules. */
export function beginFile(): void {
  workplace = mkdtempSync(path.join(tmpdir(), 'ec-tests-'));
  afterAll(() => {
    for (const ending of endings.splice(0)) ending();
    rmSync(workplace, { recursive: true, force: true });
  });
}
