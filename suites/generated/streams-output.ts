import fc from 'fast-check';
import { check } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { makeExec } from '../../harness/engine/exec.ts';
import { given, settled } from '../../harness/engine/given.ts';
import { asItIs } from '../../harness/engine/output.ts';
import type { Query } from '../../harness/engine/query.ts';
import { on } from '../../harness/faults/fault.ts';
import { changesPieces, changesStream, changesWholeBody } from '../../harness/faults/streams.ts';
import { type Write, writes } from '../../harness/generators/writes.ts';
import { forAll } from '../../harness/property/for-all.ts';
import type { Trial } from '../../harness/property/trial.ts';
import { outputs } from '../../harness/streams/frames.ts';
import { host } from '../support/common-containers.ts';
import { expectBytes } from '../support/streams/expect-bytes.ts';
import {
  bytesOf,
  type Expected,
  judgeBytes,
  readableFrames,
  readToEnd,
  sayWrites,
  stepsOf,
} from './support/written-bytes.ts';

const losesLastByte = changesStream('loses the last byte', (bytes) => bytes.subarray(0, -1));
const doublesLastByte = changesStream('sends the last byte twice', (bytes) =>
  Buffer.concat([bytes, bytes.subarray(-1)]),
);
const losesBytes = changesPieces('loses the last byte of each piece', (piece) => piece.subarray(0, -1));
const doublesBytes = changesPieces('sends the last byte of each piece twice', (piece) =>
  Buffer.concat([piece, piece.subarray(-1)]),
);
const attachPath = 'POST /containers/{id}/attach';
const startPath = 'POST /exec/{id}/start';
const logsPath = 'GET /containers/{id}/logs';

const attached = fc.record({ tty: fc.boolean(), replayed: fc.boolean(), writes: writes('text') });

check(
  'generated.streams.attach',
  {
    faults: [
      on(attachPath, losesBytes),
      on(attachPath, doublesBytes),
      // Followed logs show how far a process has come.
      on(
        logsPath,
        changesWholeBody('loses the last byte', (body) => body.subarray(0, -1)),
      ),
      on(
        logsPath,
        changesWholeBody('repeats the last byte', (body) => Buffer.concat([body, body.subarray(-1)])),
      ),
    ],
  },
  (context) =>
    forAll(context, attached, { runs: 2 }, async (value, trial) => {
      const { engine } = trial;
      const { tty } = value;
      const steps = ['catch', 'raw', 'out', 'ready\\n', 'wait-signal', ...stepsOf(value.writes)];
      trial.step(`runs a container${tty ? ' with a terminal' : ''}`);
      const container = await makeContainer(engine, { run: steps, state: 'running', config: { Tty: tty } });
      await container.hasWritten('ready');
      const replayed = value.replayed && trial.holds('containers.attach.stream.frame-header');
      trial.step(`attaches${replayed ? ' with what was written before' : ''}, and signals it to begin`);
      const live = await given(
        container.attach({ stream: true, logs: replayed, stdout: true, stderr: true }),
        101,
        200,
      );
      if (replayed) await settled(live.receivedText('ready'), 'waiting for what was written before');
      await given(container.kill({ signal: 'SIGUSR1' }), 204);
      sayWrites(trial, value.writes, 'it');
      const written = expectedOf(value.writes, tty, `${replayed ? 'ready\n' : ''}signal 10\n`);
      await judgeBytes(trial, 'containers.attach', [live, await readToEnd(trial, 'containers.attach', live)], written);
      await container.hasEnded();
      trial.step('reads its log');
      await judgeLog(trial, container, expectedOf(value.writes, tty, 'ready\nsignal 10\n'));
    }),
);

/** Everything that a process writes, after its opening on stdout. */
function expectedOf(writes: readonly Write[], tty: boolean, opening: string): Expected {
  const [stdout, all] = [bytesOf(writes, 'stdout'), bytesOf(writes)].map((bytes) =>
    Buffer.concat([Buffer.from(opening), bytes]),
  );
  return { tty, stdout: stdout ?? Buffer.alloc(0), stderr: bytesOf(writes, 'stderr'), all: all ?? Buffer.alloc(0) };
}

/** How many bytes of output a log has. */
function sizeIn({ answer }: Exchange, { tty }: Expected): number {
  if (tty) return answer.body.length;
  const { stdout, stderr } = outputs(readableFrames(answer.body) ?? []);
  return stdout.length + stderr.length;
}

async function judgeLog(trial: Trial, container: Container, written: Expected): Promise<void> {
  const both = await given(
    container.logs({ stdout: true, stderr: true }, (log) => sizeIn(log, written) >= written.all.length),
    200,
  );
  // Another rule reports a log that breaks characters in long lines, also for a terminal.
  const isToldElsewhere =
    written.tty && !isCutByNone(written.all) && !trial.holds('containers.logs.stream.payload-whole');
  if (!isToldElsewhere) await judgeBytes(trial, 'containers.logs', [both, both.answer.body], written);
  if (written.tty) return;
  for (const output of ['stdout', 'stderr'] as const) {
    if (!isCutByNone(written[output])) continue;
    await judgeOneLog(trial, container, { [output]: true }, `containers.logs.${output}-true`, {
      stdout: Buffer.alloc(0),
      stderr: Buffer.alloc(0),
      [output]: written[output],
    });
  }
  // How lines of two streams are counted together is left open, and so is whether text without a line end is a line.
  const text = written.stdout.toString('latin1');
  const lines = text.split('\n');
  if (written.stderr.length > 0 || lines.at(-1) !== '' || lines.some((line) => line.length > longestLine)) return;
  const tail = Math.ceil((lines.length - 1) / 2);
  const last = Buffer.from(lines.slice(-tail - 1).join('\n'), 'latin1');
  await judgeOneLog(trial, container, { stdout: true, tail }, 'containers.logs.tail-number', {
    stdout: last,
    stderr: Buffer.alloc(0),
  });
}

async function judgeOneLog(
  trial: Trial,
  container: Container,
  query: Query,
  rule: 'containers.logs.stdout-true' | 'containers.logs.stderr-true' | 'containers.logs.tail-number',
  { stdout, stderr }: Pick<Expected, 'stdout' | 'stderr'>,
): Promise<void> {
  // That all is there, the log of both streams has shown.
  const log = await given(container.logs(query, asItIs), 200);
  const frames = readableFrames(log.answer.body);
  if (!frames) return;
  await trial.decides(rule, () => {
    expectBytes(log, 'stdout', outputs(frames).stdout, stdout);
    expectBytes(log, 'stderr', outputs(frames).stderr, stderr);
  });
}

/** Engines store longer lines in pieces. */
const longestLine = 8_000;

/** Whether no line is long, or long lines have no multi-byte characters that a cut could split. */
function isCutByNone(bytes: Buffer): boolean {
  const lines = bytes.toString('latin1').split('\n');
  return lines.every((line) => line.length <= longestLine || [...line].every((one) => one < '\x80'));
}

check('generated.streams.exec', { faults: [on(startPath, losesLastByte), on(startPath, doublesLastByte)] }, (context) =>
  forAll(
    context,
    fc.record({ tty: fc.boolean(), upgraded: fc.boolean(), writes: writes('bytes') }),
    { runs: 3 },
    async ({ tty, upgraded, writes }, trial) => {
      const { engine } = trial;
      const container = await context.use(host);
      const run = ['raw', 'out', 'begins\\n', ...stepsOf(writes)];
      trial.step(`starts a command${tty ? ' with a terminal' : ''}${upgraded ? '' : ', without an upgrade'}`);
      const exec = await makeExec(engine, container, { run, config: { Tty: tty } });
      const live = await given(exec.start({ tty, upgrade: upgraded }), 101, 200);
      sayWrites(trial, writes, 'it');
      const bytes = await readToEnd(trial, 'exec.start', live);
      await judgeBytes(trial, 'exec.start', [live, bytes], expectedOf(writes, tty, 'begins\n'));
    },
  ),
);
