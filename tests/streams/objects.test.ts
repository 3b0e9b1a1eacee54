import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson, writeJson } from '../../harness/streams/json.ts';
import { decodeObjects, ObjectDecoder } from '../../harness/streams/objects.ts';

const objects = fc.array(
  fc.tuple(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), fc.stringMatching(/^[ \t\r\n]*$/)),
);

describe('JSON objects of a stream', () => {
  test('come out as they went in, whatever way the stream is cut', () => {
    fc.assert(
      fc.property(objects, fc.array(fc.nat()), (sent, places) => {
        const texts = sent.map(([value]) => JSON.stringify(value));
        const bytes = Buffer.from(sent.map(([, space], i) => `${texts[i]}${space}`).join(''));
        const edges = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
        const decoder = new ObjectDecoder();
        const received = edges.slice(1).flatMap((edge, i) => decoder.push(bytes.subarray(edges[i], edge)));
        decoder.end();
        expect(received.map(({ text }) => text)).toEqual(texts);
        expect(received.map(({ value }) => value)).toEqual(texts.map(parseJson));
        expect(received.every(({ offset, text }) => bytes.indexOf(text, offset) === offset)).toBe(true);
      }),
    );
  });

  test('may hold braces, quotes and backslashes in strings', () => {
    const text = '{"a":"}{","b":"\\"}","c":"\\\\"}';
    expect(decodeObjects(Buffer.from(text + text)).map((object) => object.text)).toEqual([text, text]);
  });

  test('keep integers beyond 2^53', () => {
    const [event] = decodeObjects(Buffer.from('{"time":1,"timeNano":1461943101301854123}'));
    expect(event?.value).toEqual({ time: 1, timeNano: 1461943101301854123n });
  });
});

describe('the first wrong byte of JSON objects', () => {
  test.each([
    ['a text between objects', '{"a":1}x{"b":2}', 7, 'white space'],
    ['a comma between objects', '{"a":1},{"b":2}', 7, 'white space'],
    ['a list at the top', '[{"a":1}]', 0, 'white space'],
    ['an object that is cut off', ' {"a":1', 1, 'ends inside'],
    ['a byte order mark', '\uFEFF{}', 0, 'white space'],
    ['a space that is none in JSON', '{}\u00A0{}', 2, 'white space'],
    ['a bracket that closes a brace', '{"a":1]', 6, 'cannot be read as JSON'],
    ['a member without a name', '{}{1}', 3, 'cannot be read as JSON'],
    ['a comma too many', '{"é":1,}', 8, 'cannot be read as JSON'],
    ['a line break in a string', ' {"é":"😀\n"}', 12, 'cannot be read as JSON'],
    ['a word that is none of JSON', '{"a":True}', 5, 'cannot be read as JSON'],
    ['a number with a leading zero', '{"a":01}', 6, 'cannot be read as JSON'],
  ])('of %s is found', (_what, text, offset, says) => {
    expect(() => decodeObjects(Buffer.from(text))).toThrow(
      expect.objectContaining({ name: 'ObjectViolation', offset }),
    );
    expect(() => decodeObjects(Buffer.from(text))).toThrow(says);
  });

  test.each([
    ['a byte of no character', [0xff], 0],
    ['a character that is cut off', [0xf0, 0x9f, 0x98], 0],
    ['a surrogate', [0xed, 0xa0, 0x80], 0],
    ['a character in too many bytes', [0x41, 0xc0, 0xaf], 1],
  ])('of invalid UTF-8, %s, is found', (_what, wrong, at) => {
    const before = Buffer.from('{}\n{"replaced":"\uFFFD","a":"');
    const bytes = Buffer.concat([before, Buffer.from(wrong), Buffer.from('"}')]);
    const first = Buffer.from([...wrong.slice(at), 0x22, 0x7d]);
    expect(() => decodeObjects(bytes)).toThrow(
      expect.objectContaining({ name: 'ObjectViolation', offset: before.length + at, bytes: first }),
    );
    expect(() => decodeObjects(bytes)).toThrow('UTF-8');
  });

  test('of an object that is too large is found before it is held', () => {
    const decoder = new ObjectDecoder({ size: 100 });
    const pushes = Array.from({ length: 1_000 }, (_, i) => Buffer.from(i === 0 ? '{}{"a":"' : 'xxxxxxxxxx'));
    let taken = 0;
    expect(() => {
      for (const piece of pushes) {
        decoder.push(piece);
        taken += piece.length;
      }
    }).toThrow('an object larger than 100 bytes at offset 2: 7b 22 61');
    expect(taken).toBeLessThanOrEqual(102);
    expect(() => new ObjectDecoder({ size: 9 }).push(Buffer.from('{"a":123}{"a":1234}'))).toThrow('at offset 9: 7b');
  });

  test('of an object that is too deep is found, and depth up to the bound is no overflow', () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}1234567890123456789${']'.repeat(depth - 1)}}`;
    expect(decodeObjects(Buffer.from(nested(10_000)))).toHaveLength(1);
    expect(() => decodeObjects(Buffer.from(nested(10_001)))).toThrow('nesting deeper than 10000 at offset 10004: 5b');
  });

  test('is thrown again at every later call', () => {
    const decoder = new ObjectDecoder();
    decoder.push(Buffer.from('{} '));
    for (const again of [
      () => decoder.push(Buffer.from('}')),
      () => decoder.push(Buffer.from('{}')),
      () => decoder.end(),
    ])
      expect(again).toThrow('neither an object nor white space at offset 3: 7d');
  });
});

describe('a JSON text', () => {
  test.each(['9007199254740993', '-9223372036854775808', '{"a":[18446744073709551615]}'])(
    '%s is read and written without loss',
    (text) => {
      expect(writeJson(parseJson(text))).toBe(text);
    },
  );

  test('reads like JSON.parse apart from large integers', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(writeJson(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  test('with a large integer reads like one without it', () => {
    const large = 12345678901234567890n;
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(writeJson(parseJson(`[${large},${text}]`))).toBe(`[${large},${JSON.stringify(JSON.parse(text))}]`);
      }),
    );
    expect(parseJson(`{"a":1,"a":null,"b":${large}}`)).toEqual({ a: null, b: large });
    expect(Object.keys(parseJson(`{"__proto__":{"b":${large}}}`) ?? {})).toEqual(['__proto__']);
  });

  test.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-0', -0],
    ['1234567890123456.5', 1234567890123456.5],
    ['12345678901234568000e3', 1.2345678901234568e22],
    ['"12345678901234567890"', '12345678901234567890'],
  ])('%s is %s', (text, value) => {
    expect(parseJson(text)).toBe(value);
  });

  test('is refused where JSON.parse refuses it', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '\\u00',
      'a',
      '-',
      '0',
      '1',
      '.',
      'e',
      'null',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        if (valid) expect(parseJson(text)).toEqual(JSON.parse(text));
        else {
          const position = expect.toSatisfy((at: number) => at >= 0 && at <= text.length);
          expect(() => parseJson(text)).toThrow(expect.objectContaining({ name: 'NotJson', position }));
          expect(() => parseJson(text)).toThrow(SyntaxError);
          expect(() => parseJson(text)).toThrow(/at position \d+$/);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
