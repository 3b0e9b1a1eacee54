import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { probeImage } from '../../../harness/probe/image.ts';
import { plain } from './plain.ts';

/** Debian's; another one may stand before it in PATH. */
export const dockerCommand = '/usr/bin/docker';

/** A line, and another while its log is followed. */
const writes = ['out', 'first\\n', 'sleep', '700', 'out', 'last\\n', 'sleep', '500'];

interface Step {
  readonly run: readonly string[];
  readonly input?: string;
  /** Whether more input might come. */
  readonly isOpen?: boolean;
  /** What it writes differs from time to time. */
  readonly varies?: true;
}

const image = 'ec-proxy:1';
const built = 'ec-proxy-built:1';

/**
 * A day of work with the docker command: it builds, runs, attaches, copies, saves and loads, and takes everything away.
 * @param host the daemon, `unix:///path`
 * @param directory its files; made when missing
 * @returns what each command wrote and ended with, without what differs from day to day
 */
export async function dayOfDocker(host: string, directory: string): Promise<string[]> {
  await prepare(directory);
  const began = Math.floor(Date.now() / 1000);
  const told: string[] = [];
  for (const step of [...morning(directory), ...afternoon(directory)]) {
    const { status, output } = await docker(host, directory, step);
    told.push(`docker ${plain(step.run.join(' '))}: ${status}${step.varies ? '' : `\n${plain(output)}`}`);
  }
  told.push(await kindsOfEvents(host, directory, began));
  return told;
}

/** The kinds of the events since then; in which order they come is the daemon's to say. */
async function kindsOfEvents(host: string, directory: string, began: number): Promise<string> {
  const until = Math.floor(Date.now() / 1000) + 1;
  const run = ['events', '--since', `${began}`, '--until', `${until}`, '--format', '{{.Type}} {{.Status}}'];
  const { status, output } = await docker(host, directory, { run });
  return `docker events: ${status}\n${[...new Set(plain(output).split('\n'))].toSorted().join('\n')}`;
}

async function prepare(directory: string): Promise<void> {
  const context = path.join(directory, 'context');
  await mkdir(context, { recursive: true });
  const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';
  await writeFile(path.join(directory, 'image.tar'), (await probeImage({ architecture, tag: image })).tar);
  await writeFile(path.join(context, 'note'), 'noted\n');
  await writeFile(path.join(context, 'large'), 'x'.repeat(3_000_000));
  const lines = [`FROM ${image}`, 'COPY note large /data/', 'LABEL of=day', 'CMD ["read", "/data/note"]'];
  await writeFile(path.join(context, 'Dockerfile'), lines.join('\n'));
}

function morning(directory: string): Step[] {
  return [
    { run: ['load', '-i', path.join(directory, 'image.tar')] },
    { run: ['version'], varies: true },
    { run: ['info'], varies: true },
    { run: ['build', '-t', built, path.join(directory, 'context')] },
    { run: ['run', '--rm', built] },
    { run: ['run', '--name', 'ec-both', image, 'out', 'to stdout\\n', 'err', 'to stderr\\n', 'exit', '3'] },
    { run: ['logs', 'ec-both'] },
    { run: ['run', '-i', '--rm', image, 'echo'], input: 'through the attached connection\n'.repeat(1_000) },
    { run: ['run', '-t', '--rm', image, 'tty'] },
    { run: ['run', '-d', '--name', 'ec-stays', image, 'forever'] },
    { run: ['exec', '-i', 'ec-stays', '/probe', 'echo'], input: 'to a command\n' },
    { run: ['exec', 'ec-stays', '/probe', 'err', 'oops\\n', 'exit', '4'] },
    { run: ['exec', '-t', 'ec-stays', '/probe', 'tty'] },
    { run: ['run', '-d', '-i', '--name', 'ec-attached', image, 'echo-line', 'sleep', '700'] },
    // When the input ends, the daemon now and then sends no more output.
    { run: ['attach', 'ec-attached'], input: 'a line\n', isOpen: true },
    // It goes on after its last line, as nothing says how soon what is written gets to a client that follows.
    { run: ['run', '-d', '--name', 'ec-writes', image, ...writes] },
    { run: ['logs', '-f', 'ec-writes'] },
    { run: ['wait', 'ec-writes'] },
  ];
}

function afternoon(directory: string): Step[] {
  const large = path.join(directory, 'context', 'large');
  const saved = path.join(directory, 'saved.tar');
  return [
    { run: ['cp', large, 'ec-stays:/data/copied'] },
    { run: ['exec', 'ec-stays', '/probe', 'stat', '/data/copied'], varies: true },
    { run: ['cp', 'ec-stays:/etc/passwd', path.join(directory, 'passwd')] },
    { run: ['cp', 'ec-stays:/etc/group', '-'] },
    { run: ['diff', 'ec-stays'] },
    { run: ['ps', '-a', '--format', '{{.Names}} {{.Image}}'] },
    { run: ['ps', '--filter', 'name=ec-stays', '-q'] },
    { run: ['images', '--format', '{{.Repository}}:{{.Tag}}'] },
    { run: ['inspect', '--format', '{{.Name}} {{.State.Running}} {{.Config.Image}}', 'ec-stays'] },
    { run: ['history', built], varies: true },
    { run: ['top', 'ec-stays'], varies: true },
    { run: ['stats', '--no-stream', 'ec-stays'], varies: true },
    { run: ['rename', 'ec-both', 'ec-renamed'] },
    { run: ['pause', 'ec-stays'], varies: true },
    { run: ['unpause', 'ec-stays'], varies: true },
    { run: ['commit', 'ec-renamed', 'ec-proxy-committed:1'] },
    { run: ['tag', built, 'ec-proxy-built:2'] },
    { run: ['save', '-o', saved, built] },
    { run: ['rmi', built, 'ec-proxy-built:2'], varies: true },
    { run: ['load', '-i', saved] },
    { run: ['volume', 'create', 'ec-volume'] },
    { run: ['volume', 'ls', '-q'] },
    { run: ['volume', 'inspect', '--format', '{{.Name}} {{.Driver}}', 'ec-volume'] },
    { run: ['volume', 'rm', 'ec-volume'] },
    { run: ['network', 'ls', '--format', '{{.Name}} {{.Driver}}'] },
    { run: ['inspect', 'ec-is-not-there'] },
    { run: ['kill', 'ec-stays'] },
    { run: ['rm', '-f', 'ec-renamed', 'ec-stays', 'ec-attached', 'ec-writes'] },
    { run: ['rmi', '-f', built, 'ec-proxy-committed:1', image], varies: true },
  ];
}

function docker(
  host: string,
  directory: string,
  { run, input = '', isOpen = false }: Step,
): Promise<{ status: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(dockerCommand, ['--host', host, '--config', path.join(directory, 'config'), ...run], {
      env: { PATH: process.env.PATH, HOME: directory, DOCKER_API_VERSION: '1.23', DOCKER_BUILDKIT: '0' },
    });
    const outputs = [child.stdout, child.stderr].map((stream) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      return chunks;
    });
    child.once('error', reject);
    // Which of the two outputs comes first is not the daemon's to say.
    child.once('close', (status) => {
      resolve({ status, output: outputs.map((chunks) => Buffer.concat(chunks).toString('utf8')).join('') });
    });
    child.stdin.on('error', () => {}); // It may have ended before it read.
    if (isOpen) child.stdin.write(input);
    else child.stdin.end(input);
  });
}
