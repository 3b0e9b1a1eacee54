import { check, type Fixture, fixture } from '../../../harness/check.ts';
import { given, settled } from '../../../harness/engine/given.ts';
import type { LiveExchange } from '../../../harness/engine/live-exchange.ts';
import { expectValue, observe } from '../../../harness/expect/expect.ts';
import { changesFrameHeaders, changesFrames, changesStream, encodeFrames } from '../../../harness/faults/streams.ts';
import { expectBytes } from './expect-bytes.ts';
import { type LooseFrame, looseFrames, payloadOf } from './loose-frames.ts';
import { escaped, fill } from './probe-text.ts';
import type { SourceContext, StreamSource, Way, Writer } from './stream-source.ts';

/** The complete stream of a process, and its exchange. */
interface Read {
  readonly live: LiveExchange;
  readonly bytes: Buffer;
}

/** The stream in each of several ways. The status is judged elsewhere: framing is the same whatever the status. */
async function read<W extends Way>(
  source: StreamSource,
  context: SourceContext,
  writer: Writer,
  ways: readonly W[],
): Promise<(Read & { way: W })[]> {
  const { lives, begin } = await source.open(context, writer, ways);
  for (const live of lives) await given(Promise.resolve(live), 101, 200);
  await begin();
  const reads = ways.flatMap((way, place) => {
    const live = lives[place];
    return live ? [settled(live.rest(), 'reading the stream').then((bytes) => ({ live, bytes, way }))] : [];
  });
  return Promise.all(reads);
}

/** The frames, split by their sizes only, for rules about other parts of the header. */
async function framesOf({ live, bytes }: Read): Promise<{ live: LiveExchange; frames: LooseFrame[] }> {
  const frames = await settled((async (): Promise<LooseFrame[]> => looseFrames(bytes, live))(), 'reading the frames');
  return { live, frames };
}

const both: Writer = { run: ['out', 'to stdout\\n', 'err', 'to stderr\\n'] };

/** What several rules of one version look at. */
function upgradedStream(source: StreamSource): Fixture<Read> {
  return fixture(`a stream of ${source.endpoint}`, async (context) => {
    const [first] = await read(source, context, both, ['upgraded']);
    if (!first) throw new Error('a stream was asked for in one way');
    return { live: first.live, bytes: first.bytes };
  });
}

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
const addsType3 = changesStream('adds a frame with 3 in byte 0', (bytes) =>
  Buffer.concat([bytes, Buffer.from([3, 0, 0, 0, 0, 0, 0, 1]), Buffer.from('x')]),
);
const framesTerminal = changesStream('frames the terminal', (bytes) =>
  encodeFrames([{ stream: 'stdout', payload: bytes }]),
);

/** The checks of the shape of a stream that all endpoints with a hijacked stream share. */
export function checkFraming(source: StreamSource): void {
  const prefix = `${source.endpoint}.stream` as const;
  const upgraded = upgradedStream(source);

  check(`${prefix}.tty-raw`, { faults: [framesTerminal] }, async (context) => {
    for (const { live, bytes } of await read(source, context, { ...both, tty: true }, ['upgraded', 'plain'])) {
      const text = `${source.opening}to stdout\nto stderr\n`;
      expectValue('the bytes of the terminal', bytes.toString('latin1'), [live]).toBe(text);
    }
  });

  check(`${prefix}.frame-header`, { faults: [joinsPayloads, padsHeaders, addsType3] }, async (context) => {
    const others = source.ways.filter((way) => way !== 'upgraded');
    const expectBoth = ({ live, bytes }: Read, way: string) => {
      const frames = looseFrames(bytes, live);
      const carried = payloadOf(frames).toString('latin1');
      expectValue(`what the payloads carry, ${way}`, carried, [live]).toContain('to stdout\n');
      expectValue(`what the payloads carry, ${way}`, carried, [live]).toContain('to stderr\n');
      const types = [...new Set(frames.map(({ header }) => header[0]))].toSorted();
      expectValue(`byte 0 of the frames, ${way}`, types, [live]).toSatisfy('0, 1 or 2 in each', () =>
        types.every((type) => type === 0 || type === 1 || type === 2),
      );
    };
    expectBoth(await context.use(upgraded), 'upgraded');
    for (const { way, ...one } of await read(source, context, both, others)) expectBoth(one, way);
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
    check(`${prefix}.frame-${stream}`, { faults }, async ({ use }) => {
      const { live, frames } = await framesOf(await use(upgraded));
      const carried = payloadOf(frames, type).toString('latin1');
      expectValue(`what frames with ${type} in byte 0 carry`, carried, [live]).toBe(`${opening}to ${stream}\n`);
    });
  }

  check(`${prefix}.frame-zeros`, { faults: [setsByte2] }, async ({ use }) => {
    const { live, frames } = await framesOf(await use(upgraded));
    const zeros = frames.map(({ header }) => header.subarray(1, 4).toString('hex'));
    expectValue('bytes 1 to 3 of the frame headers', [...new Set(zeros)], [live]).toBe(['000000']);
  });

  // The size of a 1,000-byte payload has two bytes that differ.
  check(`${prefix}.frame-size`, { faults: [toLittleEndian, countsHeaders] }, async (context) => {
    const writer = { run: ['out-fill', '999', 'out', '\\n'] };
    // A replayed stream is read until its text has come, which wrong frames do not show.
    const replayed = source.ways.filter((way) => way === 'replayed');
    const others = source.ways.filter((way) => way !== 'replayed');
    for (const ways of [others, replayed]) {
      const reads = ways.length > 0 ? await read(source, context, writer, ways) : [];
      for (const { live, bytes, way } of reads) {
        const carried = payloadOf(looseFrames(bytes, live)).toString('latin1');
        expectValue(`what the payloads carry, ${way}`, carried, [live]).toContain(`${source.opening}${fill(999)}\n`);
      }
    }
  });

  checkPayload(source);

  check(`${prefix}.frame-stdin`, { faults: [] }, async ({ use }) => {
    const { live, frames } = await framesOf(await use(upgraded));
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

// A cut at any even offset would split one of its two-byte characters.
const longLine = `x${'é'.repeat(9_000)}\n`;

/** A stream of many frames with every byte value; for a log, which is text, many multi-byte characters. */
function checkPayload(source: StreamSource): void {
  const id = `${source.endpoint}.stream.payload-whole` as const;
  check(id, { faults: [losesLast, losesByte, endsWithin, swapsFrames] }, async (context) => {
    const signs = source.fromLog ? Buffer.from('äßé€😀\t') : Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    const [out, err] = [200_000, 70_000];
    const begins = ['out', `${escaped(signs)}\\n`, 'out-fill', `${out}`, 'err-fill', `${err}`];
    const ends = ['out', '\\n', 'err', '\\n', 'err', longLine, 'out', 'last\\n'];
    const { lives, begin } = await source.open(context, { run: [...begins, ...ends] }, ['upgraded']);
    for (const live of lives) await given(Promise.resolve(live), 101, 200);
    await begin();
    const [live] = lives;
    if (!live) throw new Error('a stream was asked for in one way');
    const frames = looseFrames(await live.rest(), live);
    const stdout = [source.opening, signs, '\n', fill(out), '\nlast\n'].map((part) => Buffer.from(part));
    expectBytes(live, 'stdout', payloadOf(frames, 1), Buffer.concat(stdout));
    expectBytes(live, 'stderr', payloadOf(frames, 2), Buffer.from(`${fill(err)}\n${longLine}`));
  });
}
