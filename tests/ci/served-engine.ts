import { afterAll } from 'vitest';
import { start } from '../cli/command.ts';

/** `serve` with the reference engine on a free port, until the tests of this file end. @returns its address */
export async function servedEngine(): Promise<string> {
  const { child, ended } = start(['serve', '--listen', 'tcp://127.0.0.1:0']);
  afterAll(async () => {
    child.kill('SIGINT');
    await ended;
  });
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (line: string) => {
      const address = /listens on (\S+);/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
    ended.then(({ stderr }) => reject(new Error(`the engine ended: ${stderr}`)), reject);
  });
}
