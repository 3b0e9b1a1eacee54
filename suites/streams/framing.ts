import { check } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { given, settled } from '../../harness/engine/given.ts';
import type { LiveExchange } from '../../harness/engine/live-exchange.ts';
import { expectValue, observe } from '../../harness/expect/expect.ts';
import { changesFrameHeaders, changesFrames, changesStream, encodeFrames } from '../../harness/faults/streams.ts';
import { expectBytes } from './expect-bytes.ts';
import { type LooseFrame, looseFrames, payloadOf } from './loose-frames.ts';
import { escaped, fill } from './probe-text.ts';
import type { StreamSource, Way, Writer } from './source.ts';

/** The whole stream of a process, and the exchange that carried it. */
interface Read {
  readonly live: LiveExchange;
  readonly bytes: Buffer;
}

/** The status is judged elsewhere: framing is the same whatever it is. */
async function read(source: StreamSource, engine: Engine, writer: Writer, way: Way = 'upgraded'): Promise<Read> {
  const { live, begin } = await source.open(engine, writer, way);
  await given(Promise.resolve(live), 101, 200);
  await begin();
  return { live, bytes: await settled(live.rest(), 'reading the stream') };
}

/** The frames by their sizes, for rules that are about other parts of the header. */
async function readFrames(source: StreamSource, engine: Engine, writer: Writer) {
  const { live, bytes } = await read(source, engine, writer);
  const frames = await settled((async (): Promise<LooseFrame[]> => looseFrames(bytes))(), 'reading the frames');
  return { live, frames };
}

const both: Writer = { run: ['out', 'to stdout\\n', 'err', 'to stderr\\n'] };

const toLittleEndian = changesFrameHeaders('writes sizes the least significant byte first', (header) =>
  header.subarray(4).reverse(),
);
const countsHeaders = changesFrameHeaders('counts the header in the size', (header) =>
  header.writeUInt32BE(header.readUInt32BE(4) + 8, 4),
);
const setsByte2 = changesFrameHeaders('has 7 in byte 2', (header) => header.writeUInt8(7, 2));
const joinsPayloads = changesStream('sends no frames', (bytes) => payloadOf(looseFrames(bytes)));
const padsHeaders = changesStream('has headers of 12 bytes', (bytes) =>
  Buffer.concat(looseFrames(bytes).flatMap(({ header, payload }) => [header, Buffer.alloc(4), payload])),
);
const framesTerminal = changesStream('frames the terminal', (bytes) =>
  encodeFrames([{ stream: 'stdout', payload: bytes }]),
);

/** The checks of the shape of the stream, which all endpoints with a hijacked stream have alike. */
export function checkFraming(source: StreamSource): void {
  const prefix = `${source.endpoint}.stream` as const;

  check(`${prefix}.tty-raw`, { faults: [framesTerminal] }, async ({ engine }) => {
    const writer = { run: ['out', 'to stdout\\n', 'err', 'to stderr\\n'], tty: true };
    for (const way of ['upgraded', 'plain'] as const) {
      const { live, bytes } = await read(source, engine, writer, way);
      const text = `${source.opening}to stdout\nto stderr\n`;
      expectValue('the bytes of the terminal', bytes.toString('latin1'), [live]).toBe(text);
    }
  });

  check(`${prefix}.frame-header`, { faults: [joinsPayloads, padsHeaders] }, async ({ engine }) => {
    for (const way of source.ways) {
      const { live, bytes } = await read(source, engine, both, way);
      const carried = payloadOf(looseFrames(bytes)).toString('latin1');
      expectValue(`what the payloads carry, ${way}`, carried, [live]).toContain('to stdout\n');
      expectValue(`what the payloads carry, ${way}`, carried, [live]).toContain('to stderr\n');
    }
  });

  for (const [stream, type, opening] of [
    ['stdout', 1, source.opening],
    ['stderr', 2, ''],
  ] as const) {
    const faults = [3 - type, 0].map((other) =>
      changesFrameHeaders(`marks ${stream} with ${other}`, (header) => {
        if (header[0] === type) header[0] = other;
      }),
    );
    check(`${prefix}.frame-${stream}`, { faults }, async ({ engine }) => {
      const { live, frames } = await readFrames(source, engine, both);
      const carried = payloadOf(frames, type).toString('latin1');
      expectValue(`what frames with ${type} in byte 0 carry`, carried, [live]).toBe(`${opening}to ${stream}\n`);
    });
  }

  check(`${prefix}.frame-zeros`, { faults: [setsByte2] }, async ({ engine }) => {
    const { live, frames } = await readFrames(source, engine, both);
    const zeros = frames.map(({ header }) => header.subarray(1, 4).toString('hex'));
    expectValue('bytes 1 to 3 of the frame headers', [...new Set(zeros)], [live]).toBe(['000000']);
  });

  // A payload of 1,000 bytes has two bytes in its size that differ.
  check(`${prefix}.frame-size`, { faults: [toLittleEndian, countsHeaders] }, async ({ engine }) => {
    for (const way of source.ways) {
      const { live, bytes } = await read(source, engine, { run: ['out-fill', '999', 'out', '\\n'] }, way);
      const carried = payloadOf(looseFrames(bytes)).toString('latin1');
      expectValue(`what the payloads carry, ${way}`, carried, [live]).toContain(`${source.opening}${fill(999)}\n`);
    }
  });

  checkPayload(source);

  check(`${prefix}.frame-stdin`, { faults: [] }, async ({ engine }) => {
    const { live, frames } = await readFrames(source, engine, both);
    const there = frames.some(({ header }) => header[0] === 0);
    observe(there ? 'frames of stdin occur' : 'no frames of stdin occur', live);
  });
}

const losesLast = changesFrames('loses the last frame', (frames) => frames.slice(0, -1));
const losesByte = changesFrames('loses a byte', ([first, ...rest]) =>
  first ? [{ ...first, payload: first.payload.subarray(1) }, ...rest] : rest,
);
const endsWithin = changesStream('ends within the last frame', (bytes) => bytes.subarray(0, -1));
const swapsFrames = changesFrames('swaps the last frames of stdout', (frames) => {
  const [last, before] = frames.filter(({ stream }) => stream === 'stdout').toReversed();
  return frames.map((frame) => (last && frame === before ? last : before && frame === last ? before : frame));
});

// At every even offset a cut would go through one of its signs, which are two bytes each.
const longLine = `x${'é'.repeat(9_000)}\n`;

/** A stream that takes many frames, and every byte that a process may write; for a log, which is text, signs of many. */
function checkPayload(source: StreamSource): void {
  const id = `${source.endpoint}.stream.payload-whole` as const;
  check(id, { faults: [losesLast, losesByte, endsWithin, swapsFrames] }, async ({ engine }) => {
    const signs = source.fromLog ? Buffer.from('äßé€😀\t') : Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    const [out, err] = [200_000, 70_000];
    const begins = ['out', `${escaped(signs)}\\n`, 'out-fill', `${out}`, 'err-fill', `${err}`];
    const ends = ['out', '\\n', 'err', '\\n', 'err', longLine, 'out', 'last\\n'];
    const { live, begin } = await source.open(engine, { run: [...begins, ...ends] }, 'upgraded');
    await given(Promise.resolve(live), 101, 200);
    await begin();
    const frames = looseFrames(await live.rest());
    const stdout = [source.opening, signs, '\n', fill(out), '\nlast\n'].map((part) => Buffer.from(part));
    expectBytes(live, 'stdout', payloadOf(frames, 1), Buffer.concat(stdout));
    expectBytes(live, 'stderr', payloadOf(frames, 2), Buffer.from(`${fill(err)}\n${longLine}`));
  });
}
