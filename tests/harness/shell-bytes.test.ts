import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { archive } from '../../harness/probe/archive.ts';
import { curlLine, isCurlLine, rawLine } from '../../harness/recording/curl.ts';
import { writesBytes } from '../../harness/recording/shell-bytes.ts';
import { parseAddress } from '../../harness/target/address.ts';
import { launch } from '../launcher.ts';

const address = parseAddress('unix:///run/engine.sock');

async function written(command: string, shell: string): Promise<Buffer> {
  const { status, stdout } = await launch(shell, ['-c', command], { encoding: 'latin1' });
  expect(status).toBe(0);
  return Buffer.from(stdout, 'latin1');
}

describe.each(['sh', 'bash'])('bytes that %s writes', (shell) => {
  test('are the bytes, whatever they are', async () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom('%d', '\\n', "'", '-e', '--', '!', '$HOME', '`', '\r\n').map((text) => Buffer.from(text)),
      fc.integer({ min: 1, max: 2_000 }).map((length) => Buffer.alloc(length)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
        const bytes = Buffer.concat(pieces);
        expect(await written(writesBytes(bytes), shell)).toEqual(bytes);
      }),
      { numRuns: 30 },
    );
  });
});

test('an archive is readable, and shorter than in base64', async () => {
  const tar = await archive(
    [{ name: 'Dockerfile', mode: 0o644, content: Buffer.from('FROM scratch\nLABEL a="100%"\n') }],
    new Date(0),
  );
  const command = writesBytes(tar);
  expect(command).toContain(`printf 'Dockerfile'; head -c `);
  expect(command).toContain(`printf 'FROM scratch\\nLABEL a="100%%"\\n'; head -c `);
  expect(command.length).toBeLessThan(tar.length / 4);
});

test('what is no text stays in base64', () => {
  expect(writesBytes(randomBytes(100))).toMatch(/^printf %s '[\w+/=]+' \| base64 -d$/);
});

test('a line with such bytes is known as a curl line, and one that sends bytes unchanged is not', () => {
  const request = { method: 'POST', path: '/build', headers: [] };
  for (const bytes of [Buffer.from('curl } | ; {'), Buffer.alloc(700, 'a\0'), randomBytes(64), Buffer.alloc(0)]) {
    expect(isCurlLine(curlLine(address, { ...request, base64: bytes.toString('base64') }))).toBe(true);
    expect(isCurlLine(rawLine(address, bytes))).toBe(false);
  }
});
