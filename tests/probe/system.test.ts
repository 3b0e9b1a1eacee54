import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '../free-port.ts';
import { cannotRun, probePath, Running, runProbe, startProbe } from './run-probe.ts';

beforeEach((context) => {
  if (cannotRun) context.skip(cannotRun);
});

describe('process', () => {
  test('env, args, cwd, hostname', async () => {
    const probe = new Running(probePath, ['env', 'args', 'cwd', 'hostname'], { cwd: '/', env: { A: '1', B: 'x=y' } });
    expect((await probe.end()).stdout).toBe(`A=1\nB=x=y\n${probePath}\nenv\nargs\ncwd\nhostname\n/\n${hostname()}\n`);
  });

  test('id, pid, domainname, procs', async () => {
    const { stdout } = await runProbe(['id', 'pid', 'domainname', 'procs']);
    const [id, pid, domain, ...procs] = stdout.trimEnd().split('\n');
    expect(id).toBe(`uid=${process.getuid?.()} gid=${process.getgid?.()} groups=${await groupsOfThisProcess()}`);
    expect(pid).toMatch(new RegExp(`^\\d+ ${process.pid}$`));
    expect(domain).toBe((await readFile('/proc/sys/kernel/domainname', 'utf8')).trimEnd());
    expect(procs).toContain(`${pid?.split(' ')[0]} probe-linux-amd`);
  });

  test('sleep, burn and alloc', async () => {
    const start = performance.now();
    expect(await runProbe(['sleep', '100', 'burn', '100', 'alloc', '16', 'alloc', '0'])).toMatchObject({ code: 0 });
    expect(performance.now() - start).toBeGreaterThanOrEqual(200);
    expect((await runProbe(['alloc', '16000000'])).stderr).toBe('probe: alloc: error 12\n');
  });

  test('fork-wait leaves a second process that holds no stream', async () => {
    const mark = `only-here-${randomUUID()}`;
    expect(await runProbe(['fork-wait', 'out', mark])).toMatchObject({ code: 0, stdout: mark });
    const waiting = await processesWith(mark);
    for (const pid of waiting) process.kill(pid, 'SIGKILL');
    expect(waiting).toHaveLength(1);
  });

  test('without a terminal', async () => {
    expect((await runProbe(['tty', 'winsize', 'wait-winsize', 'raw'])).stdout).toBe('tty=000\nnone\nnone\n');
  });
});

describe('files', () => {
  let directory = '';
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'probe-'));
  });
  afterAll(async () => {
    await rm(directory, { recursive: true });
  });

  test('are made, read, listed, described and removed', async () => {
    const [made, file, link] = [join(directory, 'd'), join(directory, 'd/f'), join(directory, 'd/l')];
    const owner = `${process.getuid?.()} ${process.getgid?.()}`;
    const making = await runProbe(['mkdir', made, 'write', file, 'one\\n', 'append', file, 'two\\x00', 'read', file]);
    expect(making).toMatchObject({ code: 0, stdout: 'one\ntwo\0', stderr: '' });
    const linking = await runProbe(['symlink', 'nowhere', link, 'stat', file, 'stat', link, 'exists', link]);
    expect(linking.stdout).toBe(`100644 ${owner} 8\n120777 ${owner} 7\nyes\n`);
    const listing = await runProbe(['list', made, 'exists', join(file, 'x'), 'exists', join(made, 'x')]);
    expect(listing.stdout.split('\n').sort()).toEqual(['', 'f', 'l', 'no', 'no']);
    expect((await runProbe(['stat', made])).stdout).toMatch(new RegExp(`^40755 ${owner} \\d+\n$`));
    expect((await runProbe(['try', 'remove', made, 'remove', link, 'remove', file, 'remove', made])).stdout).toBe(
      'error 39\n',
    );
    expect(await readdir(directory)).toEqual([]);
  });

  test('write replaces what was there', async () => {
    const file = join(directory, 'w');
    expect((await runProbe(['write', file, 'longer', 'write', file, 'x', 'read', file])).stdout).toBe('x');
  });
});

describe('network', () => {
  test('listen greets one after another', async () => {
    const port = await freePort();
    const server = startProbe('listen', String(port));
    const connect = ['connect', '127.0.0.1', String(port)];
    await expect.poll(async () => (await runProbe(connect)).stdout, { timeout: 5000 }).toBe('probe\n');
    expect((await runProbe([...connect, ...connect])).stdout).toBe('probe\nprobe\n');
    server.kill('SIGTERM');
    expect((await server.ended()).code).toBe(143);
    expect((await runProbe(['try', ...connect])).stdout).toBe('error 111\n');
  });
});

async function groupsOfThisProcess(): Promise<string> {
  const status = await readFile('/proc/self/status', 'utf8');
  const line = /^Groups:(.*)$/m.exec(status)?.[1] ?? '';
  return line.trim().split(/\s+/).filter(Boolean).join(',');
}

/** The processes that were started with the argument. */
async function processesWith(argument: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    // A process may be gone by the time it is looked at; what is no process has no command line.
    const command = await readFile(`/proc/${name}/cmdline`, 'latin1').catch(() => '');
    if (/^\d+$/.test(name) && command.split('\0').includes(argument)) found.push(Number(name));
  }
  return found;
}
