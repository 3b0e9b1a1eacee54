import { FsError } from './fs-error.ts';
import { InputPipe } from './input-pipe.ts';
import { fileSteps } from './probe-files.ts';
import type { Process } from './process.ts';
import { addressArgument, numberArgument as number, type ProbeStep, textBytes, UsageError } from './step.ts';

/** The text that marks an executable as the probe. */
export const probeMarker = 'engine-conformance-probe/1';

const largestWrite = 65_536;
/** Milliseconds. */
const longestTime = 2 ** 30;
/** Mebibytes. */
const largestMemory = 2 ** 24;
const largestPort = 65_535;

/** Runs the steps of docs/probe.md from left to right and returns the exit code. */
export async function runProbe(process: Process, args: readonly string[]): Promise<number> {
  const words = args.length === 0 ? ['forever'] : args;
  for (let at = 0; at < words.length; ) {
    const first = words[at++] ?? '';
    const tolerant = first === 'try';
    const verb = tolerant ? (words[at++] ?? '') : first;
    const step = Object.hasOwn(steps, verb) ? steps[verb] : undefined;
    if (!step || words.length - at < step.arity) {
      return misused(process, verb || first);
    }
    const stepArguments = words.slice(at, at + step.arity);
    at += step.arity;
    try {
      const code = await step.run(process, stepArguments);
      if (typeof code === 'number') return code;
    } catch (error) {
      if (error instanceof UsageError) return misused(process, verb);
      if (!(error instanceof FsError)) throw error;
      if (!tolerant) {
        await process.write(2, Buffer.from(`probe: ${verb}: error ${error.errno}\n`));
        return 125;
      }
      await process.write(1, Buffer.from(`error ${error.errno}\n`));
    }
  }
  return 0;
}

async function misused(process: Process, verb: string): Promise<number> {
  await process.write(2, Buffer.from(`probe: usage: ${verb}\n`));
  return 124;
}

const alphabet = Buffer.from('abcdefghijklmnopqrstuvwxyz');
const pattern = Buffer.alloc(largestWrite + 26, alphabet);

async function fill(process: Process, stream: 1 | 2, count: number): Promise<void> {
  for (let done = 0; done < count; ) {
    const size = Math.min(largestWrite, count - done);
    const start = done % 26;
    await process.write(stream, pattern.subarray(start, start + size));
    done += size;
  }
}

async function copyLine(process: Process): Promise<void> {
  const chunks: Buffer[] = [];
  for (let chunk = await process.read(); chunk; chunk = await process.read()) {
    const end = chunk.indexOf(0x0a) + 1;
    chunks.push(end === 0 ? chunk : chunk.subarray(0, end));
    if (end === 0) continue;
    process.options.stdin?.unread(chunk.subarray(end));
    break;
  }
  const line = Buffer.concat(chunks);
  if (line.length > 0) await process.write(1, line);
}

function say(read: (process: Process) => string): ProbeStep {
  return { arity: 0, run: (process) => process.write(1, Buffer.from(read(process))) };
}

function windowSize(process: Process): string {
  const size = process.options.terminal?.size;
  return size ? `${size.rows} ${size.columns}\n` : 'none\n';
}

function processList(process: Process): string {
  const lines: [number, string][] = [];
  for (const peer of process.options.peers) {
    for (const pid of [peer.options.pid, ...peer.children]) lines.push([pid, peer.name]);
  }
  return lines
    .sort(([a], [b]) => a - b)
    .map(([pid, name]) => `${pid} ${name}\n`)
    .join('');
}

async function connect(process: Process, address: string, port: number): Promise<void> {
  const pipe = new InputPipe();
  process.options.network.connect(address, port, pipe);
  for (;;) {
    const chunk = await pipe.read();
    if (!chunk) return;
    await process.write(1, chunk);
  }
}

const steps: Readonly<Record<string, ProbeStep>> = {
  ...fileSteps,
  out: { arity: 1, run: (process, [text = '']) => process.write(1, textBytes(text)) },
  err: { arity: 1, run: (process, [text = '']) => process.write(2, textBytes(text)) },
  'out-fill': { arity: 1, run: (process, [count]) => fill(process, 1, number(count)) },
  'err-fill': { arity: 1, run: (process, [count]) => fill(process, 2, number(count)) },
  exit: { arity: 1, run: (_process, [code]) => number(code, 255) },
  sleep: { arity: 1, run: (process, [time]) => process.sleep(number(time, longestTime)) },
  forever: { arity: 0, run: (process) => process.forever() },
  ignore: { arity: 1, run: (process, [signal]) => process.ignore(number(signal, 64)) },
  catch: { arity: 0, run: (process) => process.catchSignals() },
  'wait-signal': {
    arity: 0,
    run: async (process) => process.write(1, Buffer.from(`signal ${await process.nextSignal()}\n`)),
  },
  echo: {
    arity: 0,
    run: async (process) => {
      for (let chunk = await process.read(); chunk; chunk = await process.read()) await process.write(1, chunk);
    },
  },
  'echo-line': { arity: 0, run: copyLine },
  count: {
    arity: 0,
    run: async (process) => {
      let count = 0;
      for (let chunk = await process.read(); chunk; chunk = await process.read()) count += chunk.length;
      await process.write(1, Buffer.from(`${count}\n`));
    },
  },
  env: say(({ options }) => options.environment.map((line) => `${line}\n`).join('')),
  args: say(({ options }) => options.argv.map((line) => `${line}\n`).join('')),
  hostname: say(({ options }) => `${options.hostname}\n`),
  domainname: say(({ options }) => `${options.domainname}\n`),
  id: say(
    ({
      options: {
        credentials: { uid, gid, groups },
      },
    }) => `uid=${uid} gid=${gid} groups=${groups.join(',')}\n`,
  ),
  cwd: say(({ options }) => `${options.cwd}\n`),
  tty: say(({ options }) => `tty=${options.terminal ? '111' : '000'}\n`),
  winsize: say(windowSize),
  'wait-winsize': {
    arity: 0,
    run: async (process) => {
      const { terminal } = process.options;
      const before = windowSize(process);
      while (terminal && windowSize(process) === before) {
        await new Promise<void>((resolve) => {
          const off = terminal.onResize(() => {
            off();
            resolve();
          });
        });
        await process.live();
      }
      await process.write(1, Buffer.from(windowSize(process)));
    },
  },
  raw: { arity: 0, run: (process) => process.options.terminal?.setRaw() },
  pid: say(({ options }) => `${options.pid} ${options.parentPid}\n`),
  procs: say(processList),
  alloc: { arity: 1, run: (process, [size]) => process.allocate(number(size, largestMemory)) },
  burn: { arity: 1, run: (process, [time]) => process.burn(number(time, longestTime)) },
  'fork-wait': { arity: 0, run: (process) => process.fork() },
  listen: {
    arity: 1,
    run: async (process, [port]) => {
      const stop = process.options.network.listen(number(port, largestPort), (peer) => {
        void peer.push(Buffer.from('probe\n'));
        peer.end();
      });
      process.onEnd(stop);
      await process.forever();
    },
  },
  connect: {
    arity: 2,
    run: (process, [address = '', port]) => connect(process, addressArgument(address), number(port, largestPort)),
  },
};
