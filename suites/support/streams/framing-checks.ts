import { check, fixture } from '../../../harness/check.ts';
import { given, settled } from '../../../harness/engine/given.ts';
import type { LiveExchange } from '../../../harness/engine/live-exchange.ts';
import { expectValue, observe } from '../../../harness/expect/expect.ts';
import { onlyFor } from '../../../harness/faults/fault.ts';
import {
  changesFrameHeaders,
  changesFrames,
  changesPieces,
  changesStream,
  encodeFrames,
} from '../../../harness/faults/streams.ts';
import { Judgement, withJudgement } from '../../../harness/verdict/judgement.ts';
import { Deviation } from '../../../harness/verdict/outcomes.ts';
import { ifThere, tellOtherwise, withOthers } from '../shared-results.ts';
import { expectBytes } from './expect-bytes.ts';
import { type LooseFrame, looseFrames, payloadOf } from './loose-frames.ts';
import { escaped, fill } from './probe-text.ts';
import type { SourceContext, StreamSource, Way, Writer } from './stream-source.ts';

/** Steps of the probe, and what they write. */
interface Texts extends Writer {
  readonly stdout: string;
  readonly stderr: string;
}

/** The complete stream of a process, and its exchange. */
interface Read {
  readonly live: LiveExchange;
  readonly bytes: Buffer;
  readonly way: Way;
  readonly wrote: Texts;
}

/** The stream in each of several ways. The status is judged elsewhere: framing is the same whatever the status. */
async function read(
  open: StreamSource['open'],
  context: SourceContext,
  wrote: Texts,
  ways: readonly Way[],
): Promise<Read[]> {
  const { lives, begin } = await open(context, wrote, ways);
  for (const live of lives) await given(Promise.resolve(live), 101, 200);
  await begin();
  const reads = ways.flatMap((way, place) => {
    const live = lives[place];
    return live ? [settled(live.rest(), 'reading the stream').then((bytes) => ({ live, bytes, way, wrote }))] : [];
  });
  return Promise.all(reads);
}

/**
 * Judges a rule by streams that are read together for several rules. They can only show that it is kept: anything else
 * may come of what was asked for besides.
 * @returns the ways in which it is not kept, or was not read
 */
async function notKept(
  ways: readonly Way[],
  together: Promise<readonly Read[]>,
  judge: (one: Read) => void,
): Promise<readonly Way[]> {
  const kept: Way[] = [];
  for (const one of (await ifThere(together)) ?? []) {
    try {
      await withJudgement(new Judgement(), async () => judge(one));
    } catch (error) {
      if (!(error instanceof Deviation)) throw error;
      tellOtherwise(withOthers, one.live);
      continue;
    }
    judge(one);
    kept.push(one.way);
  }
  return ways.filter((way) => !kept.includes(way));
}

/** A replayed stream is read until its text has come, which wrong frames do not show, so it comes last. */
function apart(ways: readonly Way[]): readonly (readonly Way[])[] {
  return [ways.filter((way) => way !== 'replayed'), ways.filter((way) => way === 'replayed')];
}

/** The frames, split by their sizes only, for rules about other parts of the header. */
async function hasFrames({ live, bytes }: Read): Promise<void> {
  await settled((async (): Promise<LooseFrame[]> => looseFrames(bytes, live))(), 'reading the frames');
}

const both: Texts = {
  run: ['out', 'to stdout\\n', 'err', 'to stderr\\n'],
  stdout: 'to stdout\n',
  stderr: 'to stderr\n',
};

/** The size of a 1,000-byte payload has two bytes that differ. */
const sized: Texts = { run: ['out-fill', '999', 'out', '\\n'], stdout: `${fill(999)}\n`, stderr: '' };

const sizedAndBoth: Texts = {
  run: [...sized.run, ...both.run],
  stdout: `${sized.stdout}${both.stdout}`,
  stderr: both.stderr,
};

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
const framesReplayed = onlyFor(
  ({ path }) => /[?&]logs=/.test(path),
  changesPieces('frames each piece of the terminal', (piece) => encodeFrames([{ stream: 'stdout', payload: piece }])),
  'frames the terminal where its log is replayed',
);

/** The checks of the shape of a stream that all endpoints with a hijacked stream share. */
export function checkFraming(source: StreamSource): void {
  const prefix = `${source.endpoint}.stream` as const;
  const { ways, opening, replay = '', open, openTogether = open } = source;
  const together = fixture(`a stream of ${source.endpoint} in all ways`, (context) =>
    read(openTogether, context, sizedAndBoth, ways),
  );
  const upgraded = fixture(`a stream of ${source.endpoint}`, (context) => read(open, context, both, ['upgraded']));

  /** Judges a rule by the stream of an upgraded connection. */
  async function judgeUpgraded({ use }: SourceContext, judge: (one: Read) => void): Promise<void> {
    const shown = use(together).then((reads) => reads.filter(({ way }) => way === 'upgraded'));
    if ((await notKept(['upgraded'], shown, judge)).length === 0) return;
    for (const one of await use(upgraded)) {
      await hasFrames(one);
      judge(one);
    }
  }

  const terminalFaults = ways.includes('replayed') ? [framesTerminal, framesReplayed] : [framesTerminal];
  check(`${prefix}.tty-raw`, { faults: terminalFaults }, async (context) => {
    const readBy = (by: StreamSource['open'], ways: readonly Way[]) => read(by, context, { ...both, tty: true }, ways);
    const judge = ({ live, bytes, way, wrote }: Read) => {
      const text = `${way === 'replayed' ? replay : ''}${opening}${wrote.stdout}${wrote.stderr}`;
      expectValue('the bytes of the terminal', bytes.toString('latin1'), [live]).toBe(text);
    };
    const left = openTogether === open ? ways : await notKept(ways, readBy(openTogether, ways), judge);
    for (const ways of apart(left)) if (ways.length > 0) (await readBy(open, ways)).forEach(judge);
  });

  check(
    `${prefix}.frame-header`,
    { faults: [joinsPayloads, padsHeaders, addsType3], slowToFail: true },
    async (context) => {
      const judge = ({ live, bytes, way }: Read) => {
        const frames = looseFrames(bytes, live);
        // Frames of one kind may come between those of another, so each kind is read by itself.
        const carried = [0, 1, 2].map((type) => payloadOf(frames, type).toString('latin1')).join('\n');
        expectValue(`what the payloads carry, ${way}`, carried, [live]).toContain(both.stdout);
        expectValue(`what the payloads carry, ${way}`, carried, [live]).toContain(both.stderr);
        const types = [...new Set(frames.map(({ header }) => header[0]))].toSorted();
        expectValue(`byte 0 of the frames, ${way}`, types, [live]).toSatisfy('0, 1 or 2 in each', () =>
          types.every((type) => type === 0 || type === 1 || type === 2),
        );
      };
      const left = await notKept(ways, context.use(together), judge);
      const others = left.filter((way) => way !== 'upgraded');
      if (left.includes('upgraded')) (await context.use(upgraded)).forEach(judge);
      if (others.length > 0) (await read(open, context, both, others)).forEach(judge);
    },
  );

  for (const [stream, type, begins] of [
    ['stdout', 1, opening],
    ['stderr', 2, ''],
  ] as const) {
    const faults = [3 - type, 0].map((other) =>
      changesFrameHeaders(`marks ${stream} with ${other}`, (header) => {
        if (header[0] === type) header[0] = other;
      }),
    );
    check(`${prefix}.frame-${stream}`, { faults, slowToFail: true }, (context) =>
      judgeUpgraded(context, ({ live, bytes, wrote }) => {
        const carried = payloadOf(looseFrames(bytes, live), type).toString('latin1');
        expectValue(`what frames with ${type} in byte 0 carry`, carried, [live]).toBe(`${begins}${wrote[stream]}`);
      }),
    );
  }

  check(`${prefix}.frame-zeros`, { faults: [setsByte2], slowToFail: true }, (context) =>
    judgeUpgraded(context, ({ live, bytes }) => {
      const zeros = looseFrames(bytes, live).map(({ header }) => header.subarray(1, 4).toString('hex'));
      expectValue('bytes 1 to 3 of the frame headers', [...new Set(zeros)], [live]).toBe(['000000']);
    }),
  );

  check(`${prefix}.frame-size`, { faults: [toLittleEndian, countsHeaders], slowToFail: true }, async (context) => {
    const judge = ({ live, bytes, way }: Read) => {
      const carried = payloadOf(looseFrames(bytes, live)).toString('latin1');
      expectValue(`what the payloads carry, ${way}`, carried, [live]).toContain(`${opening}${sized.stdout}`);
    };
    const left = await notKept(ways, context.use(together), judge);
    // Without stderr, whose frames may come between.
    for (const ways of apart(left)) if (ways.length > 0) (await read(open, context, sized, ways)).forEach(judge);
  });

  checkPayload(source);

  check(`${prefix}.frame-stdin`, { faults: [] }, (context) =>
    judgeUpgraded(context, ({ live, bytes }) => {
      const there = looseFrames(bytes, live).some(({ header }) => header[0] === 0);
      observe(there ? 'frames of stdin occur' : 'no frames of stdin occur', live);
    }),
  );
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
