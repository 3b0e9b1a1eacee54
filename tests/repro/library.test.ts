import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../harness/streams/json.ts';
import { flat, pointerOf, sortedLines } from '../../reports/repro/flat.ts';
import { normal, normalInSed } from '../../reports/repro/normal.ts';
import { extendedPattern } from '../../reports/repro/pattern.ts';

const file = new URL('../../reports/repro/library.sh', import.meta.url);
const library = readFileSync(file, 'utf8').replace('@NORMAL@', normalInSed);
const patience = { timeout: 120_000 };

/** What a shell that has the library says, given these bytes. */
function shell(
  commands: string,
  input: Buffer | string = '',
): { readonly status: number | null; readonly stdout: string } {
  const script = `ENGINE_HOST=unix:///nowhere\n${library}\n${commands}\n`;
  const { status, stdout } = spawnSync('/bin/sh', ['-c', script], { input, maxBuffer: 64 * 1024 * 1024 });
  return { status, stdout: stdout.toString('utf8') };
}

const lines = (text: string) => text.split('\n').filter((line) => line !== '');

describe('the reader of JSON in a script', () => {
  test('makes the lines that the reports make', patience, () => {
    const values = fc.sample(fc.jsonValue({ maxDepth: 4 }), { numRuns: 60, seed: 19 });
    const texts = values.map((value) => JSON.stringify(value));
    const { status, stdout } = shell('flat list | sort', texts.join('\n'));
    expect(status).toBe(0);
    const plain: JsonValue = JSON.parse(`[${texts.join(',')}]`);
    // A number has one spelling there, and is taken as it stands here.
    expect(lines(stdout)).toEqual(sortedLines(flat(plain)));
  });

  test.each([
    [
      'escapes of what needs none',
      String.raw`{"a\/b":"\u003ctag\u003e \u00e9 \ud83d\ude00"}`,
      ['\t{1', '/a~1b\t"<tag> é 😀"'],
    ],
    ['escapes that stay', String.raw`["\n\"\\\u0001\u000a"]`, ['\t[1', String.raw`/0	"\n\"\\\u0001\n"`]],
    ['white space', ' { "a" : [ ] ,\n"b":{ } }\n', ['\t{2', '/a\t[0', '/b\t{0']],
    ['a large integer', '[9223372036854775807]', ['\t[1', '/0\t9223372036854775807']],
  ])('reads %s', (_what, text, expected) => {
    expect(lines(shell('flat "" | sort', text).stdout).toSorted()).toEqual(expected.toSorted());
  });

  test('takes several documents for a list', () => {
    expect(lines(shell('flat "" | sort', '{"a":1}\n{"a":2}\n').stdout)).toEqual(
      sortedLines(flat([{ a: 1 }, { a: 2 }])),
    );
  });

  test('takes the first of several documents where it is told to', () => {
    expect(lines(shell('flat one', '{"a":1}\n{"a":').stdout)).toEqual(sortedLines(flat({ a: 1 })).toReversed());
    expect(shell('flat one', '404 page not found').status).toBe(1);
  });

  test('leaves out the last document of a stream that was dropped inside it', () => {
    expect(lines(shell('flat list', '{"a":1}\n{"a":').stdout)).toEqual(sortedLines(flat([{ a: 1 }])).toReversed());
  });

  test.each(['', '{', '{"a"}', '[1,]', 'OK', '"open', '{"a":1}x'])('fails at %j', (text) => {
    expect(shell('flat "" >/dev/null', text).status).toBe(1);
  });

  test('finds a value, and the item of a list that has another', () => {
    const body = JSON.stringify([{ Id: 'one' }, { Id: 'two', Names: ['/own'], State: { Code: 7 } }]);
    const found = shell(
      'cat >"$D/1.out"; at=$(item 1 "" /Names/0 \'"/own"\'); member 1 "$at/State/Code"; text 1 "$at/Id"; item 1 "" /Id \'"six"\'',
      body,
    );
    expect(lines(found.stdout)).toEqual(['7', 'two', '/-']);
  });
});

test.each([
  ['frames', '01000000000000026f6b02000000000000026f6b', ''],
  ['a frame that was cut off', '01000000000000026f6b0200000000', ''],
  ['a size without the line end', '01000000000000026f6b0a0200000000000002', '\toffset 10: 0a 02 00 00 00 00 00 00\n'],
  ['a stream that is none of the three', '0300000000000000', '\toffset 0: 03 00 00 00 00 00 00 00\n'],
  ['text', Buffer.from('ready\n').toString('hex'), '\toffset 0: 72 65 61 64 79 0a\n'],
])('finds the first wrong header in %s', (_what, hex, found) => {
  expect(shell('cat >"$D/1.out"; wrong_header 1', Buffer.from(hex, 'hex')).stdout).toBe(found);
});

test('takes output out of its frames, and leaves what has none', () => {
  const frame = (stream: number, text: string) => {
    const header = Buffer.alloc(8);
    header.writeUInt8(stream, 0);
    header.writeUInt32BE(text.length, 4);
    return Buffer.concat([header, Buffer.from(text)]);
  };
  const framed = Buffer.concat([frame(1, 'one\n'), frame(2, 'two\n'), frame(1, 'three\n')]);
  const output = (streams: string, bytes: Buffer) =>
    shell(`cat >"$D/1.out"; : >"$D/1.head"; output_of 1 ${streams}`, bytes).stdout;
  expect(output('012', framed)).toBe('one\ntwo\nthree\n');
  expect(output('1', framed)).toBe('one\nthree\n');
  expect(output('2', framed)).toBe('two\n');
  expect(output('012', Buffer.from('no frames\n'))).toBe('no frames\n');
});

test('takes out what differs from run to run as the reports do', () => {
  const texts = [
    'Up 2 seconds',
    'since 2026-01-02T03:04:05.678Z at 10.0.0.1 of 02:42:ac:11:00:99, 12345 bytes and 12',
    `id ${'0123456789abcdef'.repeat(4)} and deed`,
    'id 936da01f-9abd-4d9d-80c7-02AF85C822A8 and bad-f00d',
    'ec-zrun12345678-4',
  ];
  const { stdout } = shell('RUN=zrun12345678 IDS=; normal', `${texts.join('\n')}\n`);
  expect(lines(stdout)).toEqual(texts.map((text) => normal(text, 'zrun12345678', [])));
});

test('what came in the place of an identifier and is none is no pattern', () => {
  const { stdout } = shell('RUN=zrun12345678 IDS="{17 [ abcdef012345"; normal', 'of abcdef012345: {17\n');
  expect(lines(stdout)).toEqual(['of <id>: {17']);
});

describe('a pattern for grep', () => {
  test.each<[RegExp, string, boolean]>([
    [/^text\/plain;\s*charset=utf-8$/i, 'Text/Plain; charset=UTF-8', true],
    [/^text\/plain;\s*charset=utf-8$/i, 'text/plain', false],
    [/^\d+(?:\.\d+)?$/, '12.5', true],
    [/^\d+(?:\.\d+)?$/, '12.', false],
    [/^uid=1000 gid=2000\b/, 'uid=1000 gid=2000 groups=0', true],
    [/^uid=1000 gid=2000\b/, 'uid=1000 gid=20001', false],
    [/(^|[\s,])upgrade($|[\s,])/i, 'keep-alive, Upgrade', true],
    [/^a\nb$/, String.raw`a\nb`, true],
  ])('%s finds %j: %s', (pattern, text, isFound) => {
    const written = extendedPattern(pattern.source);
    const grep = spawnSync('grep', ['-q', pattern.flags === 'i' ? '-iE' : '-E', '-e', written ?? ''], { input: text });
    expect(grep.status === 0).toBe(isFound);
  });

  test.each([/(?=a)/, /a+?/, /(a)\1/, /\bword/])('none can be written for %s', ({ source }) => {
    expect(extendedPattern(source)).toBeUndefined();
  });
});

test('a pointer escapes what separates its steps', () => {
  expect(pointerOf(['a/b', 'c~d', 'e'])).toBe('/a~1b/c~0d/e');
});
