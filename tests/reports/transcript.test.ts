import { describe, expect, test } from 'vitest';
import type { RecordedExchange } from '../../harness/events.ts';
import { hexView } from '../../reports/hex.ts';
import { cutBytes, cutExchange } from '../../reports/recorded-bytes.ts';
import { transcript } from '../../reports/transcript.ts';
import { visible, visibleLine } from '../../reports/visible.ts';
import { hostileTexts } from './hostile-texts.ts';
import { text } from './sample-exchanges.ts';

const none = text('');

function exchange(parts: Partial<RecordedExchange>): RecordedExchange {
  return {
    id: 'x1',
    madeFor: 'containers.stop.answers-204',
    startedAt: '2026-03-14T09:27:00.000Z',
    durationMs: 12.5,
    request: { method: 'POST', path: '/v1.21/containers/c/stop', headers: [['Host', 'localhost']], body: none },
    curl: 'curl -i -X POST http://localhost/v1.21/containers/c/stop',
    ...parts,
  };
}

describe('cutting', () => {
  test('never inside a character', () => {
    expect(cutBytes(text('aéb'), 2)).toEqual({ size: 4, text: 'a', truncated: true });
    expect(cutBytes(text('aéb'), 3)).toEqual({ size: 4, text: 'aé', truncated: true });
    expect(cutBytes(text('aéb'), 4)).toEqual(text('aéb'));
  });

  test('of base64 leaves whole groups', () => {
    const base64 = Buffer.from([255, 1, 2, 3, 4, 5, 6]).toString('base64');
    const cut = cutBytes({ size: 7, base64, truncated: false }, 5);
    expect(cut).toEqual({ size: 7, base64: '/wEC', truncated: true });
  });

  test('of a stream counts each direction and says what is left out', () => {
    const piece = (direction: 'sent' | 'received', written: string) => ({ direction, atMs: 1, ...text(written) });
    const stream = [piece('received', 'abc'), piece('sent', 'x'), piece('received', 'def'), piece('received', 'ghi')];
    expect(cutExchange(exchange({ stream }), 3).stream).toEqual([
      piece('received', 'abc'),
      piece('sent', 'x'),
      { direction: 'received', atMs: 1, size: 6, text: '', truncated: true },
    ]);
  });
});

test('a hex view has offset, bytes and printable characters', () => {
  expect(hexView(Buffer.from('\u0001\u0000hello world, hello\n'), 16)).toBe(
    [
      '00000010  01 00 68 65 6c 6c 6f 20  77 6f 72 6c 64 2c 20 68  ..hello world, h',
      '00000020  65 6c 6c 6f 0a                                    ello.',
    ].join('\n'),
  );
});

describe('a transcript', () => {
  test('reads like a session', () => {
    const answer = { status: 304, headers: [['Server', 'Engine']] as const, body: text('no\nbody') };
    const stream = [{ direction: 'received', atMs: 3, ...text('hi') } as const];
    expect(transcript(exchange({ answer, stream, failure: 'reset' }), 4)).toBe(
      [
        '$ curl -i -X POST http://localhost/v1.21/containers/c/stop',
        '> POST /v1.21/containers/c/stop',
        '> Host: localhost',
        '< 304 (after 13 ms)',
        '< Server: Engine',
        '<',
        'no',
        'b',
        '(cut: 4 of 7 bytes are shown)',
        '< 2 bytes received after 3 ms',
        '00000000  68 69                                             hi',
        '! reset',
      ].join('\n'),
    );
  });

  test.each(hostileTexts)('is safe for a terminal: %j', (hostile) => {
    const answer = { status: 200, headers: [['Server', hostile]] as const, body: text(hostile) };
    const written = transcript(exchange({ answer, failure: hostile }), 4096);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    expect(written).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069\ufeff]/);
    expect(written).not.toMatch(/\p{Cs}/u);
  });
});

test('visible text keeps what is harmless', () => {
  expect(visible('漢字 ñ 🦭\n\ttab')).toBe('漢字 ñ 🦭\n\ttab');
  expect(visibleLine('a\n\tb')).toBe('a\\n\\tb');
  expect(visible('\u001b[1m \r \ud83d! \u202e')).toBe('\\x1b[1m \\r \\u{d83d}! \\u{202e}');
});
