import fc from 'fast-check';

const plain = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
const special = [...'ABZ =:;,."\'\\/$%&?#{}[]<>|!*+~^@()-_'];
const wide = ['é', 'ß', '日', '本', '😀', '\u0301'];

/** One line of any characters, those that are special to JSON, queries, shells and settings among them. */
export const lines: fc.Arbitrary<string> = fc.string({
  unit: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...plain) },
    { weight: 4, arbitrary: fc.constantFrom(...special) },
    { weight: 1, arbitrary: fc.constantFrom(...wide) },
  ),
  maxLength: 12,
});

/** The same with more lines and tabs in it. */
export const texts: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: lines },
  // What has been cut, split or left out before.
  { weight: 3, arbitrary: fc.constantFrom('', 'a=b', '=', ' a ', '"a"', '$A') },
  { weight: 1, arbitrary: fc.tuple(lines, fc.constantFrom('\n', '\t', '\r\n'), lines).map((parts) => parts.join('')) },
);

/** Small letters and digits, as parts of names have them. */
export const words: fc.Arbitrary<string> = fc.string({ unit: fc.constantFrom(...plain), minLength: 1, maxLength: 8 });

/** Keys of labels of the suite. */
const labelKeys: fc.Arbitrary<string> = fc
  .tuple(words, fc.constantFrom('.', '-', '_', '/'), words)
  .map(([one, between, two]) => `ec.${one}${between}${two}`);

/** Labels with values of every kind, the empty one among them. */
export const labelMaps: fc.Arbitrary<Record<string, string>> = fc.dictionary(labelKeys, texts, {
  maxKeys: 6,
  noNullPrototype: true,
});

/** A list of distinct items. */
export function distinct<T>(items: fc.Arbitrary<T>, by: (item: T) => unknown = (item) => item): fc.Arbitrary<T[]> {
  return fc.uniqueArray(items, { selector: by, maxLength: 5 });
}

/** Environment variables in the form NAME=value (Document 1, Container configuration). */
export function environments(values: fc.Arbitrary<string> = texts): fc.Arbitrary<string[]> {
  const names = words.map((word) => `EC_${word.toUpperCase()}`);
  return distinct(fc.tuple(names, values), ([name]) => name).map((pairs) => pairs.map((pair) => pair.join('=')));
}

/** Absolute paths of directories that a container may be given, each beneath one of the suite's. */
export function directories(top: string): fc.Arbitrary<string> {
  return fc.array(words, { maxLength: 2 }).map((below) => [`/ec-${top}`, ...below].join('/'));
}

/** Addresses of IPv4 for documentation (RFC 5737), which nothing on a host has. */
export const addresses: fc.Arbitrary<string> = fc.integer({ min: 1, max: 254 }).map((last) => `192.0.2.${last}`);

export const hostnames: fc.Arbitrary<string> = words.map((word) => `ec-${word}`);

/** Names of domains that are reserved for tests (RFC 2606). */
export const domains: fc.Arbitrary<string> = words.map((word) => `ec-${word}.test`);
