import fc from 'fast-check';

const plain = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
const special = [...'ABZ =:;,."\'\\/$%&?#{}[]<>|!*+~^@()-_'];
const wide = ['é', 'ß', '日', '本', '😀', '\u0301'];

/** One line of any characters, including those that are special to JSON, queries, shells and settings. */
export const lines: fc.Arbitrary<string> = fc.string({
  unit: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...plain) },
    { weight: 4, arbitrary: fc.constantFrom(...special) },
    { weight: 1, arbitrary: fc.constantFrom(...wide) },
  ),
  maxLength: 12,
});

/** The same with more lines and tabs. */
export const texts: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: lines },
  // Texts that have been cut, split or dropped before.
  { weight: 3, arbitrary: fc.constantFrom('', 'a=b', '=', ' a ', '"a"', '$A') },
  { weight: 1, arbitrary: fc.tuple(lines, fc.constantFrom('\n', '\t', '\r\n'), lines).map((parts) => parts.join('')) },
);

/** Lower-case letters and digits, for parts of names. */
export const words: fc.Arbitrary<string> = fc.string({ unit: fc.constantFrom(...plain), minLength: 1, maxLength: 8 });

/** Keys of labels of the suite. */
const labelKeys: fc.Arbitrary<string> = fc
  .tuple(words, fc.constantFrom('.', '-', '_', '/'), words)
  .map(([one, between, two]) => `ec.${one}${between}${two}`);

/** Labels with values of every kind, including empty ones. */
export const labelMaps: fc.Arbitrary<Record<string, string>> = fc.dictionary(
  labelKeys,
  fc.oneof({ weight: 3, arbitrary: texts }, fc.constant('')),
  {
    maxKeys: 6,
    noNullPrototype: true,
  },
);

/** A list of distinct items. */
export function distinct<T>(items: fc.Arbitrary<T>, by: (item: T) => unknown = (item) => item): fc.Arbitrary<T[]> {
  return fc.uniqueArray(items, { selector: by, maxLength: 5 });
}

/** Environment variables in the form NAME=value (Document 1, Container configuration). */
export function environments(): fc.Arbitrary<string[]> {
  const names = words.map((word) => `EC_${word.toUpperCase()}`);
  // Only the first = ends the name.
  const values = fc.oneof(
    texts,
    fc.tuple(lines, lines).map((parts) => parts.join('=')),
  );
  return distinct(fc.tuple(names, values), ([name]) => name).map((pairs) => pairs.map((pair) => pair.join('=')));
}

/** Absolute paths of directories for a container, each below one of the suite's. */
export function directories(top: string): fc.Arbitrary<string> {
  return fc.array(words, { maxLength: 2 }).map((below) => [`/ec-${top}`, ...below].join('/'));
}

/** IPv4 addresses for documentation (RFC 5737), which no host has. */
export const addresses: fc.Arbitrary<string> = fc.integer({ min: 1, max: 254 }).map((last) => `192.0.2.${last}`);

export const hostnames: fc.Arbitrary<string> = words.map((word) => `ec-${word}`);

/** Domain names reserved for tests (RFC 2606). */
export const domains: fc.Arbitrary<string> = words.map((word) => `ec-${word}.test`);
