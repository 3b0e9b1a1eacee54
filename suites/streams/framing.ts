import { check } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { given } from '../../harness/engine/given.ts';
import type { LiveExchange } from '../../harness/engine/live-exchange.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { answersStatus, dropsHeader, setsHeader } from '../../harness/faults/answers.ts';
import type { Fault } from '../../harness/faults/fault.ts';
import { changesFrameHeaders, changesFrames, changesStream, encodeFrames } from '../../harness/faults/streams.ts';
import { type Frame, outputs } from '../../harness/streams/frames.ts';

/** What a process writes, and how its output is asked for. */
export interface Written {
  /** Steps of the probe. */
  readonly run: readonly string[];
  readonly tty?: boolean;
}

/** Opens the stream of a process of its own that ends by itself; the answer may be refused. */
export type OpenStream = (engine: Engine, written: Written, upgrade: boolean) => Promise<LiveExchange>;

const hello: Written = { run: ['out', 'to stdout\\n', 'err', 'to stderr\\n'] };

/**
 * The checks of what all endpoints with a hijacked stream have alike (Document 2, Stream framing).
 * @param prefix the endpoint's part of the rule ids
 */
export function checkStream(prefix: 'containers.attach' | 'containers.logs', open: OpenStream): void {
  checkHead(prefix, open);
  checkFrames(prefix, open);
}

function checkHead(prefix: 'containers.attach' | 'containers.logs', open: OpenStream): void {
  check(`${prefix}.stream.upgrade-answers-101`, { faults: [answersStatus(200, 101)] }, async ({ engine }) => {
    expect(await open(engine, hello, true)).toHaveStatus(101);
  });

  check(`${prefix}.stream.no-upgrade-answers-200`, { faults: [answersStatus(101, 200)] }, async ({ engine }) => {
    expect(await open(engine, hello, false)).toHaveStatus(200);
  });

  check(`${prefix}.stream.repeats-Upgrade`, { faults: [dropsHeader('Upgrade')] }, async ({ engine }) => {
    expect(await given(open(engine, hello, true), 101)).toHaveHeader('Upgrade', 'tcp');
  });

  check(`${prefix}.stream.repeats-Connection`, { faults: [dropsHeader('Connection')] }, async ({ engine }) => {
    expect(await given(open(engine, hello, true), 101)).toHaveHeader('Connection', 'Upgrade');
  });

  const plain = setsHeader('Content-Type', 'text/plain');
  check(`${prefix}.stream.upgraded-media-type`, { faults: [plain] }, async ({ engine }) => {
    expect(await given(open(engine, hello, true), 101)).toHaveMediaType('application/vnd.engine.raw-stream');
  });
}

/** The stream without Upgrade: framing is the same, and every endpoint has it. */
async function readStream(engine: Engine, open: OpenStream, written: Written) {
  const live = await given(open(engine, written, false), 200);
  return { live, bytes: await live.rest() };
}

async function readFrames(engine: Engine, open: OpenStream, written: Written) {
  const live = await given(open(engine, written, false), 200);
  return { live, frames: await live.frames() };
}

function checkFrames(prefix: 'containers.attach' | 'containers.logs', open: OpenStream): void {
  const framesRaw = changesStream('frames the terminal', (bytes) =>
    encodeFrames([{ stream: 'stdout', payload: bytes }]),
  );
  check(`${prefix}.stream.tty-raw`, { faults: [framesRaw] }, async ({ engine }) => {
    const { live, bytes } = await readStream(engine, open, { run: ['out', 'on the terminal\\n'], tty: true });
    // A terminal writes a line end as CR LF.
    expectValue('the bytes of the stream', bytes.toString('latin1'), [live]).toBe('on the terminal\r\n');
  });

  const unframed = changesStream('sends no frames', () => Buffer.from('to stdout\nto stderr\n'));
  check(`${prefix}.stream.frame-header`, { faults: [unframed] }, async ({ engine }) => {
    const { live, frames } = await readFrames(engine, open, hello);
    expectValue('the number of frames', frames.length, [live]).toBeAtLeast(2);
  });

  for (const [stream, other] of [
    ['stdout', 'stderr'],
    ['stderr', 'stdout'],
  ] as const) {
    const mixesUp = changesFrames(`marks ${stream} as ${other}`, (frames) =>
      frames.map((frame) => (frame.stream === stream ? { ...frame, stream: other } : frame)),
    );
    check(`${prefix}.stream.frame-${stream}`, { faults: [mixesUp] }, async ({ engine }) => {
      const { live, frames } = await readFrames(engine, open, hello);
      const marks = [
        ...new Set(frames.filter(({ payload }) => payload.includes(`to ${stream}`)).map((one) => one.stream)),
      ];
      expectValue(`the mark of the frames with what was written to ${stream}`, marks, [live]).toBe([stream]);
    });
  }

  const dirty = changesFrameHeaders('has 7 in byte 2', (header) => header.writeUInt8(7, 2));
  check(`${prefix}.stream.frame-zeros`, { faults: [dirty] }, async ({ engine }) => {
    const { live, bytes } = await readStream(engine, open, hello);
    const zeros = headersOf(bytes).map((header) => header.subarray(1, 4).toString('hex'));
    expectValue('bytes 1 to 3 of the frame headers', [...new Set(zeros)], [live]).toBe(['000000']);
  });

  const littleEndian = changesFrameHeaders('writes sizes the least significant byte first', (header) =>
    header.subarray(4).reverse(),
  );
  check(`${prefix}.stream.frame-size`, { faults: [littleEndian] }, async ({ engine }) => {
    const { live, frames } = await readFrames(engine, open, hello);
    expectValue('what the payloads of stdout hold', outputs(frames).stdout.toString(), [live]).toBe('to stdout\n');
  });

  checkPayload(prefix, open);

  check(`${prefix}.stream.frame-stdin`, { faults: [] }, async ({ engine }) => {
    const { live, frames } = await readFrames(engine, open, hello);
    const there = frames.some(({ stream }) => stream === 'stdin');
    observe(there ? 'frames of stdin occur' : 'no frames of stdin occur', live);
  });
}

/** The 8-byte headers of frames whose sizes lead from one to the next. */
function headersOf(bytes: Buffer): Buffer[] {
  const headers: Buffer[] = [];
  for (let at = 0; at + 8 <= bytes.length; at += 8 + bytes.readUInt32BE(at + 4))
    headers.push(bytes.subarray(at, at + 8));
  return headers;
}

const [large, small] = [200_000, 70_000];

const payloadFaults: readonly Fault[] = [
  changesFrames('loses the last frame', (frames) => frames.slice(0, -1)),
  changesFrames('swaps two frames of stdout', swapFirstTwo),
  changesFrames('loses a byte', ([first, ...rest]) =>
    first ? [{ ...first, payload: first.payload.subarray(1) }, ...rest] : rest,
  ),
];

function swapFirstTwo(frames: Frame[]): Frame[] {
  const stdout = frames.filter(({ stream }) => stream === 'stdout');
  const [first, second] = [stdout[0], stdout[1]];
  if (!first || !second) return [];
  return frames.map((frame) => (frame === first ? second : frame === second ? first : frame));
}

function checkPayload(prefix: 'containers.attach' | 'containers.logs', open: OpenStream): void {
  check(`${prefix}.stream.payload-whole`, { faults: payloadFaults }, async ({ engine }) => {
    const run = [
      'out',
      'first\\n',
      'out-fill',
      String(large),
      'err-fill',
      String(small),
      'out',
      '\\nlast\\n',
      'err',
      '\\n',
    ];
    const { live, frames } = await readFrames(engine, open, { run });
    const { stdout, stderr } = outputs(frames);
    expectBytes(live, 'stdout', stdout, Buffer.concat([Buffer.from('first\n'), fill(large), Buffer.from('\nlast\n')]));
    expectBytes(live, 'stderr', stderr, Buffer.concat([fill(small), Buffer.from('\n')]));
  });
}

/** What the probe's `out-fill` writes. */
function fill(size: number): Buffer {
  return Buffer.from('abcdefghijklmnopqrstuvwxyz'.repeat(Math.ceil(size / 26)).slice(0, size));
}

function expectBytes(live: LiveExchange, name: string, actual: Buffer, written: Buffer): void {
  const differs = actual.findIndex((byte, at) => byte !== written[at]);
  const said = { bytes: actual.length, firstDifference: differs };
  const expected = { bytes: written.length, firstDifference: -1 };
  expectValue(`what came of the ${written.length} bytes written to ${name}`, said, [live]).toBe(expected);
}
