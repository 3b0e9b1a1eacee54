import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { type ReferenceEngineOptions, startReferenceEngine } from '../../reference/index.ts';
import { workplace } from '../workplace.ts';
import { engineConformance, type Running, start } from './command.ts';
import { validReport } from './report.ts';
import { smallEngine, wrongPing } from './small-engine.ts';

const pings = ['--only', 'system.ping.*', '--api', '1.23', '--quiet'];
/** Several runs one after another, on a busy machine. */
const slowMs = 180_000;
let count = 0;

function newSocket(): string {
  count++;
  return path.join(workplace, `watched-${count}.sock`);
}

/** A reference engine that ends with the test, if not before. */
async function reference(listen: ReferenceEngineOptions['listen']) {
  const engine = await startReferenceEngine({ listen });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= engine.close();
    return closed;
  };
  onTestFinished(close);
  return { address: engine.address, close };
}

/** What a command that goes on has written, and the wait for more. */
function output(child: ChildProcess) {
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return {
    /** Waits until a pattern has matched so many times. */
    async shows(pattern: RegExp, times = 1): Promise<void> {
      const seen = () => text.match(new RegExp(pattern, 'gm'))?.length ?? 0;
      await expect.poll(seen, { timeout: slowMs, message: `${pattern} in ${text}` }).toBe(times);
    },
    get text() {
      return text;
    },
  };
}

function failures(directory: string): string[] {
  const { results } = validReport(directory);
  return results.filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule);
}

function watching(target: string, directory: string, ...more: readonly string[]): Running & ReturnType<typeof output> {
  const running = start(['run', '--watch', '--target', target, ...pings, '--report', directory, ...more]);
  onTestFinished(() => void running.child.kill('SIGKILL'));
  return Object.assign(output(running.child), running);
}

test(
  'each daemon that comes to the socket is judged, and it is said what changed',
  async () => {
    const socketPath = newSocket();
    const first = await smallEngine(wrongPing, socketPath);
    const watch = watching(first.address, 'watched');
    await watch.shows(/^watching unix:.*: judges again when it comes back$/);
    expect(failures('watched')).toEqual(['system.ping.body-OK']);

    first.close();
    const mended = await reference({ socketPath });
    await watch.shows(/^since the last run: 1 fixed \(system\.ping\.body-OK\)$/);
    await watch.shows(/^watching /, 2);
    expect(failures('watched')).toEqual([]);

    await mended.close();
    await smallEngine(wrongPing, socketPath);
    await watch.shows(/^since the last run: 1 newly failing \(system\.ping\.body-OK\)$/);
    await watch.shows(/^watching /, 3);
    expect(existsSync(path.join(workplace, 'watched', 'index.html'))).toBe(true);

    watch.child.kill('SIGINT');
    const { status, stderr } = await watch.ended;
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
  },
  slowMs,
);

test(
  'a port: a daemon that is not there yet, comes, goes, and comes back as another one',
  async () => {
    const first = await reference({ host: '127.0.0.1', port: 0 });
    const port = Number(new URL(first.address).port);
    await first.close();
    const watch = watching(first.address, 'watched-port');
    await watch.shows(/^watching tcp:/);
    const second = await reference({ host: '127.0.0.1', port });
    await watch.shows(/^watching tcp:/, 2);
    expect(watch.text).toContain(`${first.address} is back\n`);
    await second.close();
    watch.child.kill('SIGINT');
    const { status, stderr } = await watch.ended;
    expect(stderr).toMatch(/^error: .*ECONNREFUSED.*; check .*\n$/);
    expect(status).toBe(0);
  },
  slowMs,
);

test(
  'on a terminal r judges at once, and q ends',
  async () => {
    const { address } = await smallEngine();
    const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
    const command = [process.execPath, main, 'run', '--watch', '--target', address, ...pings].join(' ');
    const terminal = spawn('script', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
      cwd: workplace,
      env: { ...process.env, TERM: 'dumb', XDG_STATE_HOME: path.join(workplace, 'state') },
    });
    onTestFinished(() => void terminal.kill('SIGKILL'));
    const ended = new Promise((resolve) => terminal.once('close', resolve));
    const { shows } = output(terminal);
    await shows(/^watching .*; press r to judge now, q to end\r$/);
    terminal.stdin.write('r');
    await shows(/^unchanged: nothing fails\r$/);
    await shows(/^watching /, 2);
    terminal.stdin.write('q');
    expect(await ended).toBe(0);
  },
  slowMs,
);

test.each([
  ['without a daemon', [], /^error: name the daemon with --target or ENGINE_HOST\n$/],
  [
    'with a baseline to be rewritten',
    ['--target', 'unix:///nowhere', '--baseline', 'b.yaml', '--update-baseline'],
    /^error: --update-baseline is for one run; leave out --watch\n$/,
  ],
])('wrong usage: %s', async (_title, more, says) => {
  const { status, stderr } = await engineConformance(['run', '--watch', ...pings, ...more]);
  expect(stderr).toMatch(says);
  expect(status).toBe(2);
});
