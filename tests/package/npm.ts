import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The environment without what npm and the test runner put into it: a user's shell has none of that. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const ours = /^(npm_|VITEST|NODE_ENV$|TEST$|DEV$|PROD$|MODE$|SSR$|BASE_URL$|INIT_CWD$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
}

/**
 * Runs npm in a directory.
 * @returns what it wrote to stdout
 * @throws Error with npm's messages when it fails
 */
export async function npm(directory: string, ...parameters: readonly string[]): Promise<string> {
  const { stdout } = await run('npm', [...parameters, '--no-audit', '--no-fund', '--no-update-notifier'], {
    cwd: directory,
    env: plainEnvironment(),
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout;
}
