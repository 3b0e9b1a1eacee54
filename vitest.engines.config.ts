import { defineConfig } from 'vitest/config';

/** The tests against real daemons, one file after another, as each run wants the processors for itself. */
export default defineConfig({
  test: {
    include: ['tests/engines/**/*.test.ts'],
    setupFiles: 'tests/set-up.ts',
    pool: 'forks',
    fileParallelism: false,
    // A run is bounded by its own waits; this only ends one that hangs.
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
    reporters: ['verbose'],
    disableConsoleIntercept: true,
  },
});
