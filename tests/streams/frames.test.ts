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

  test('without payload give one empty piece', () => {
    const [piece, ...more] = new FrameDecoder().push(encode([{ stream: 'stderr', payload: Buffer.alloc(0) }]));
    expect(piece).toEqual({ stream: 'stderr', frame: 0, size: 0, data: Buffer.alloc(0), last: true });
    expect(more).toEqual([]);
  });

  test('are views of the chunk, and the largest frame is not gathered', () => {
    const decoder = new FrameDecoder();
    const size = 0xffff_ffff;
    decoder.push(Uint8Array.of(1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff));
    const chunk = Buffer.alloc(2 ** 20 - 1);
    const before = process.memoryUsage();
    for (let sent = 0; sent < size; sent += chunk.length) {
      const data = chunk.subarray(0, size - sent);
      const [piece] = decoder.push(data);
      if (piece?.data.buffer !== chunk.buffer || piece.last !== sent + data.length >= size) throw new Error('no view');
    }
    decoder.end();
    const after = process.memoryUsage();
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(4 * 2 ** 20);
  });
});

describe('the first wrong byte of frames', () => {
  const good = [1, 0, 0, 0, 0, 0, 0, 2, 0x68, 0x69];
  test.each([
    ['an unknown stream type', [...good, 3, 0, 0, 0, 0, 0, 0, 0], 10, 'stream type'],
    ['text without framing', [...Buffer.from('hello world')], 0, 'stream type'],
    ['text shorter than a header', [...Buffer.from('hi')], 0, 'stream type'],
    ['a byte 1 that is not 0', [...good, 2, 9, 7, 0, 0, 0, 0, 0], 11, 'byte 1'],
    ['a byte 2 that is not 0', [1, 0, 7, 0, 0, 0, 0, 0], 2, 'byte 2'],
    ['a byte 3 that is not 0', [1, 0, 0, 255, 0, 0, 0, 0], 3, 'byte 3'],
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

  test('is named with its offset and bytes, and found before the header is whole', () => {
    const decoder = new FrameDecoder();
    decoder.push(Uint8Array.from(good));
    decoder.push(Uint8Array.of(1, 0));
    const violation = expect.objectContaining({ offset: 12, bytes: Buffer.from([0xab, 0xcd]) });
    expect(() => decoder.push(Uint8Array.of(0xab, 0xcd))).toThrow(violation);
    expect(() => decoder.push(Uint8Array.from(good))).toThrow('offset 12: ab cd');
    expect(() => decoder.end()).toThrow(violation);
  });
});
