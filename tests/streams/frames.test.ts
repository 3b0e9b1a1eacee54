import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeFrames, type Frame, FrameDecoder, outputs } from '../../harness/streams/frames.ts';

const numbers = { stdin: 0, stdout: 1, stderr: 2 } as const;

function encode(frames: readonly Frame[]): Buffer {
  return Buffer.concat(
    frames.flatMap(({ stream, payload }) => {
      const header = Buffer.alloc(8);
      header[0] = numbers[stream];
      header.writeUInt32BE(payload.length, 4);
      return [header, payload];
    }),
  );
}

const frames = fc.array(
  fc.record({
    stream: fc.constantFrom('stdin', 'stdout', 'stderr'),
    payload: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  }),
);

/** Cuts bytes at the given places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const edges = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return edges.slice(1).map((edge, i) => bytes.subarray(edges[i], edge));
}

describe('frames', () => {
  test('come out as they went in, whatever way the stream is cut', () => {
    fc.assert(
      fc.property(frames, fc.array(fc.nat()), (sent, places) => {
        const decoder = new FrameDecoder();
        const pieces = cut(encode(sent), places).flatMap((chunk) => decoder.push(chunk));
        decoder.end();
        const received = sent.map(({ stream }, i) => ({
          stream,
          payload: Buffer.concat(pieces.filter(({ frame }) => frame === i).map(({ data }) => data)),
        }));
        expect(received).toEqual(sent);
        expect(pieces.filter(({ last }) => last)).toHaveLength(sent.length);
        expect(pieces.every(({ frame, stream }) => sent[frame]?.stream === stream)).toBe(true);
      }),
    );
  });

  test('are joined per output in their order', () => {
    const stream = encode([
      { stream: 'stdout', payload: Buffer.from('a') },
      { stream: 'stderr', payload: Buffer.from('!') },
      { stream: 'stdout', payload: Buffer.from('b') },
      { stream: 'stdin', payload: Buffer.alloc(0) },
    ]);
    const { stdin, stdout, stderr } = outputs(decodeFrames(stream));
    expect([stdin, stdout, stderr].map(String)).toEqual(['', 'ab', '!']);
  });

  test('keep views of the chunk and no payload', () => {
    const chunk = encode([{ stream: 'stdout', payload: Buffer.from('payload') }]);
    const [piece] = new FrameDecoder().push(chunk);
    expect(piece?.data.buffer).toBe(chunk.buffer);
  });
});

describe('the first wrong byte of frames', () => {
  const good = [1, 0, 0, 0, 0, 0, 0, 2, 0x68, 0x69];
  test.each([
    ['an unknown stream type', [...good, 3, 0, 0, 0, 0, 0, 0, 0], 10, 'stream type'],
    ['text without framing', [...Buffer.from('hello world')], 0, 'stream type'],
    ['a byte 2 that is not 0', [1, 0, 7, 0, 0, 0, 0, 0], 1, 'bytes 1 to 3'],
    ['a header that is cut off', [...good, 1, 0, 0], 10, 'inside a header'],
    ['a payload that is cut off', good.slice(0, 9), 9, '1 bytes before the end of a payload of 2'],
  ])('of %s is found', (_what, bytes, offset, says) => {
    for (const split of [bytes.length, 1, 3]) {
      const decoder = new FrameDecoder();
      const decode = () => {
        for (let at = 0; at < bytes.length; at += split) decoder.push(Uint8Array.from(bytes.slice(at, at + split)));
        decoder.end();
      };
      expect(decode).toThrow(expect.objectContaining({ name: 'FrameViolation', offset }));
    }
    expect(() => decodeFrames(Uint8Array.from(bytes))).toThrow(says);
  });
});
