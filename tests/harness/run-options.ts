import path from 'node:path';
import type { RunOptions } from '../../harness/runner/options.ts';
import type { Address } from '../../harness/target/address.ts';
import { documentedVersions } from '../../specs/versions.ts';
import { bundled } from '../bundle-suites.ts';
import { workplace } from '../workplace.ts';

let runs = 0;

/** A run of the checks of `small-suite.ts`, with journals of its own. */
export function optionsFor(address: Address, rules: readonly string[], more: Partial<RunOptions> = {}): RunOptions {
  runs++;
  return {
    address,
    dialect: 'auto',
    apis: documentedVersions,
    rules,
    entry: bundled('tests/harness/small-suite.ts'),
    concurrency: 4,
    timeoutMs: 30_000,
    restartMs: 0,
    seed: 1,
    maxMs: 10_000,
    journalDirectory: path.join(workplace, `journals-of-run-${runs}`),
    secrets: [],
    tool: { name: 'a test', version: '0' },
    handlers: [],
    ...more,
  };
}
