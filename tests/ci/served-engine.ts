import { start } from '../cli/command.ts';

export interface ServedEngine {
  readonly address: string;
  close(): Promise<void>;
}

/** `serve` with the reference engine on a free port, until it is closed. */
export async function servedEngine(): Promise<ServedEngine> {
  const { child, ended } = start(['serve', '--listen', 'tcp://127.0.0.1:0']);
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (line: string) => {
      const found = /listens on (\S+);/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    ended.then(({ stderr }) => reject(new Error(`the engine ended: ${stderr}`)), reject);
  });
  const close = async () => {
    child.kill('SIGINT');
    await ended;
  };
  return { address, close };
}
