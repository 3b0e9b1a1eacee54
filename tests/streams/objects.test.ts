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
    ['a bracket that closes a brace', '{"a":1]', 0, 'no JSON'],
    ['a member without a name', '{}{1}', 2, 'no JSON'],
  ])('of %s is found', (_what, text, offset, says) => {
    expect(() => decodeObjects(Buffer.from(text))).toThrow(
      expect.objectContaining({ name: 'ObjectViolation', offset }),
    );
    expect(() => decodeObjects(Buffer.from(text))).toThrow(says);
  });

  test('of invalid UTF-8 is found', () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    expect(() => decodeObjects(bytes)).toThrow('UTF-8');
  });

  test('of an object that is too large or too deep is found before it is held', () => {
    const large = new ObjectDecoder({ size: 100 });
    expect(() => {
      for (let i = 0; i < 1_000; i++) large.push(Buffer.from(i === 0 ? '{"a":"' : 'xxxxxxxxxx'));
    }).toThrow('larger than 100 bytes');
    expect(() => new ObjectDecoder().push(Buffer.from(`{"a":${'['.repeat(20_000)}`))).toThrow('nesting deeper');
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
});
