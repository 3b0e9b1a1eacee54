import fc from 'fast-check';

/** One write of a process. */
export interface Write {
  readonly to: 'stdout' | 'stderr';
  /** Bytes, or a number of letters from `a` to `z`, repeated. */
  readonly what: Buffer | number;
  /** How long the process waits before it, in milliseconds. */
  readonly afterMs: number;
}

/** Sizes at which buffers of pipes, frames and lines end, and their neighbours. */
const edges = [512, 1_024, 4_096, 8_192, 16_384, 32_768, 65_536].flatMap((size) => [size - 1, size, size + 1]);

const sizes = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 2_000 }) },
  { weight: 2, arbitrary: fc.constantFrom(...edges) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 100_000 }) },
);

/** Characters of one to four bytes, and those that end or could end something. */
const characters = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'ä', '€', '😀', '"', '\\', '\t', '\r', '\0', '\u2028') },
  { weight: 2, arbitrary: fc.constant('\n') },
  // fast-check has its own units for these, but takes a second to go through all characters before the first value.
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xd7ff }).map((code) => String.fromCodePoint(code)) },
  { weight: 1, arbitrary: fc.integer({ min: 0xe000, max: 0x10ffff }).map((code) => String.fromCodePoint(code)) },
);

const texts = fc
  .tuple(fc.string({ unit: characters, maxLength: 12 }), fc.integer({ min: 1, max: 100 }))
  .map(([text, times]) => Buffer.from(text.repeat(times)));

/** Every byte value from 1 on. */
const anyBytes = fc
  .record({ first: fc.nat({ max: 255 }), size: fc.integer({ min: 0, max: 600 }) })
  .map(({ first, size }) => Buffer.from(Array.from({ length: size }, (_, at) => (first + 7 * at) & 0xff)));

/**
 * What a process writes, one write after another, occasionally with a pause in between.
 * @param kind `text` for valid UTF-8
 */
export function writes(kind: 'text' | 'bytes'): fc.Arbitrary<Write[]> {
  const write = fc.record({
    to: fc.constantFrom('stdout', 'stderr'),
    what: fc.oneof(
      { weight: 6, arbitrary: kind === 'text' ? texts : anyBytes },
      { weight: 5, arbitrary: sizes },
      { weight: 1, arbitrary: fc.constant(Buffer.alloc(0)) },
    ),
    afterMs: fc.oneof(
      { weight: 7, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 8 }) },
    ),
  });
  // Without bias, so that even a few runs have rich values.
  return fc.noBias(fc.array(write, { minLength: 1, maxLength: 16, size: 'max' }));
}
