import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

/** The kit's own tests. Those of the command line run the build in `dist`, which `npm test` makes first. */
export default defineConfig({
  // Warnings are about source maps of packages that do not bring their sources along.
  logLevel: 'error',
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'tests/engines/**'],
    pool: 'threads',
    // One more than processors, as some files mostly wait.
    maxWorkers: availableParallelism() + 1,
    // Only what hangs may come near it: a busy machine makes a command of one second take ten.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // It imports JSON in a way that only bundlers understand.
    server: { deps: { inline: ['@actions/workflow-parser'] } },
  },
});
