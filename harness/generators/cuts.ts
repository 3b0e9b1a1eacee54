import fc from 'fast-check';

/** Where to cut a body of any size. */
export interface Cuts {
  /** Each stands for the position that is its remainder modulo the size of the body. */
  readonly places: readonly number[];
}

export const cuts: fc.Arbitrary<Cuts> = fc.record({
  places: fc.array(fc.nat({ max: 1_000_000 }), { maxLength: 25, size: 'max' }),
});

/** The positions at which to cut a body: those given, and every one inside a text that it contains. */
export function placesIn(body: Buffer, { places }: Cuts, text: string): number[] {
  const begin = body.indexOf(text);
  const within = begin < 0 ? [] : Array.from({ length: Buffer.byteLength(text) }, (_, at) => begin + at);
  const all = [...places.map((place) => place % body.length), ...within];
  return [...new Set(all)].filter((place) => place > 0).sort((one, other) => one - other);
}

/** Texts of characters of two to four bytes. */
export const wideTexts: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom('é', 'ß', '€', '日', '😀'),
  minLength: 1,
  maxLength: 6,
});
