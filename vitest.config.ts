import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the longest first: none of them may be the one that all wait for in the end. */
const longest = [
  ...[
    'degenerate/slow',
    'token/run',
    'generated/planted-state',
    'serving/run',
    'degenerate/degenerate',
    'docs/contributing',
    'transports/transports',
    'reports/html',
    'ci/github',
    'repro/shown-again',
  ],
  ...[
    'package/installed',
    'token/set-up',
    'cli/baseline',
    'degenerate/refusing',
    'cli/run',
    'cli/interrupt',
    'ci/gitlab',
    'token/usage',
    'clients/docker',
    'cli/explain',
  ],
  ...['reports/allure', 'token/baseline', 'cli/serve-fault', 'generated/planted-filters', 'generated/planted-inputs'],
].map((name) => `/tests/${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = longest.findIndex((file) => moduleId.endsWith(file));
  return place < 0 ? longest.length : place;
}

/** The kit's own tests. Those of the command line run the build in `dist`, which `npm test` makes first. */
export default defineConfig({
  // Warnings are about source maps of packages that do not bring their sources along.
  logLevel: 'error',
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'tests/engines/**'],
    globalSetup: 'tests/bundle-suites.ts',
    setupFiles: 'tests/set-up.ts',
    // Memory for the commands in large pieces, and for all threads of a command together: where a first touch of a page is
    // dear, as on some virtual machines, a short command takes a quarter less CPU time.
    env: { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1:glibc.malloc.arena_max=1' },
    pool: 'threads',
    // Each thread loads what its files import once for all of them; what a file has of its own is in `tests/workplace.ts`.
    isolate: false,
    // More than processors, as some files mostly wait.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    // Only what hangs may come near it: a busy machine makes a command of one second take ten.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // It imports JSON in a way that only bundlers understand.
    server: { deps: { inline: ['@actions/workflow-parser'] } },
  },
});
