import fc from 'fast-check';
import { parse, stringify } from 'lossless-json';
import { describe, expect, test } from 'vitest';
import { NotJson, parseJson } from '../../harness/streams/json.ts';

/** A whole number as another parser keeps it. */
function parseNumber(digits: string): number | bigint {
  const value = Number(digits);
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(digits) ? value : BigInt(digits);
}

describe('a JSON text with integers beyond 2^53', () => {
  test('is parsed like by a parser that keeps all numbers', () => {
    const leaf = fc.oneof(
      fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
      fc.string({ unit: fc.constantFrom('"', '\\', ' ', ':', '1234567890123456', '7', '\n', 'é') }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(null, true),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('value')), fc.dictionary(fc.string(), tie('value'))),
    }));
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2), (written, space) => {
        const text = String(stringify(written, undefined, space));
        expect(parseJson(text)).toEqual(parse(text, undefined, { parseNumber }));
      }),
      { numRuns: 500 },
    );
  });

  test('keeps them, and nothing else that has so many digits', () => {
    const text = `{"a": 12345678901234567890, "b": [-1234567890123456789, 1.12345678901234567890, 1e-1234567890123456,
      12345678901234567890.5, 12345678901234567890e2, 1234567890123456], "__proto__": 12345678901234567890,
      "c": "\\" , 12345678901234567890, \\\\", "\\\\": 1234567890123456789, "a": 12345678901234567891}`;
    const parsed = parseJson(text);
    expect(parsed).toMatchObject({
      a: 12345678901234567891n,
      b: [-1234567890123456789n, 1.1234567890123457, 0, 12345678901234567000, 1.2345678901234568e21, 1234567890123456],
      c: '" , 12345678901234567890, \\',
      '\\': 1234567890123456789n,
    });
    expect(Object.entries(Object(parsed))).toContainEqual(['__proto__', 12345678901234567890n]);
  });

  test('may be long', () => {
    const text = `{"long": "${'x\\n'.repeat(3_000_000)}", "n": 12345678901234567890}`;
    expect(parseJson(text)).toMatchObject({ n: 12345678901234567890n });
  });

  test('is refused where it is nested too deeply', () => {
    const text = `${'['.repeat(100_000)}12345678901234567890${']'.repeat(100_000)}`;
    expect(() => parseJson(text)).toThrow(new NotJson('nesting too deep to keep large integers', 0));
  });
});
