import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { recordBytes } from '../../harness/recording/bytes.ts';
import { curlLine } from '../../harness/recording/curl.ts';
import { Redactor } from '../../harness/recording/redact.ts';
import { parseAddress } from '../../harness/target/address.ts';

const redactor = new Redactor(['canary-value']);

describe('what is kept of an exchange', () => {
  test('has no credentials in headers', () => {
    const headers = [
      ['X-Registry-Auth', 'c2VjcmV0'],
      ['authorization', 'Bearer secret'],
      ['Accept', 'text/plain'],
    ] as const;
    expect(redactor.headers(headers)).toEqual([
      ['X-Registry-Auth', '[redacted]'],
      ['authorization', '[redacted]'],
      ['Accept', 'text/plain'],
    ]);
  });

  test.each([
    ['{"username":"u","password":"se\\"cret"}', '{"username":"u","password":"[redacted]"}'],
    ['{"IdentityToken" : "secret"}', '{"IdentityToken" : "[redacted]"}'],
    ['{"IdentityToken":"","Status":"in"}', '{"IdentityToken":"","Status":"in"}'],
    ['grant_type=password&password=secret&x=1', 'grant_type=password&password=[redacted]&x=1'],
    ['a daemon that repeats canary-value', 'a daemon that repeats [redacted]'],
    ['{"Env":["PASSWORD_FILE=/x"]}', '{"Env":["PASSWORD_FILE=/x"]}'],
  ])('%s becomes %s', (text, clean) => {
    expect(redactor.text(text)).toBe(clean);
  });

  test('has no token that an answer gave, in any spelling or repetition', () => {
    const learned = new Redactor();
    learned.learn('{"access_token":"opaque+token/1==","data":{"refresh_token":["nested-token"]},"token":"short"}');
    learned.learn('{"token":"of an answer that was cut');
    const base64 = Buffer.from('opaque+token/1==').toString('base64');
    expect(learned.text(`opaque+token/1==, opaque%2Btoken%2F1%3D%3D, ${base64}, nested-token`)).toBe(
      '[redacted], [redacted], [redacted], [redacted]',
    );
    expect(learned.text('short; of an answer that was cut')).toBe('short; [redacted]');
    expect(learned.headers([['X-Token', 'nested-token']])).toEqual([['X-Token', '[redacted]']]);
  });

  test('has no secret in hex, backwards, in HTML, or with escapes, as a server may show it', () => {
    const secret = `gr&n<'"ß>-canary`;
    const hex = Buffer.from(secret).toString('hex');
    const shown = [
      ...[hex, hex.toUpperCase(), [...secret].reverse().join('')],
      ...['gr&amp;n&lt;&#39;&quot;ß&gt;-canary', `gr&amp;n&lt;'"ß&gt;-canary`, 'gr&amp;n&lt;&#x27;&#34;ß&gt;-canary'],
      ...[
        `gr\\u0026n\\u003c'\\"ß\\u003e-canary`,
        `gr&n<'\\"\\u00df>-canary`,
        `gr\\u0026n\\u003c'\\"\\u00df\\u003e-canary`,
      ],
    ];
    const clean = new Redactor([secret]);
    expect(shown.map((text) => clean.text(`it was ${text}!`))).toEqual(shown.map(() => 'it was [redacted]!'));
  });

  test.each(['password', 'token', 'pull', 'container', 'a'])(
    'the password %s leaves words of the suite alone',
    (word) => {
      const clean = new Redactor([word, `grace:${word}`]);
      const text = 'grant_type=password gives a token to pull a container';
      expect(clean.text(text)).toBe(text);
      expect(clean.text(`username=grace&password=${word}`)).toBe('username=grace&password=[redacted]');
      expect(clean.text(`{"password":"${word}"}`)).toBe('{"password":"[redacted]"}');
      expect(clean.text(`Basic ${Buffer.from(`grace:${word}`).toString('base64')} or grace:${word}`)).toBe(
        'Basic [redacted] or [redacted]',
      );
    },
  );

  test('a password that begins with such a word is hidden whole and cut, and the word is not', () => {
    const clean = new Redactor(['password-of-grace']);
    expect(clean.text('password=x; password-of-grace; password-of-g')).toBe(
      'password=[redacted] [redacted]; [redacted]',
    );
    expect(clean.text('the password is wrong')).toBe('the password is wrong');
  });

  test('shows what the suite made up to be refused', () => {
    expect(redactor.text('password=ec-unknown-0123&refresh_token=other')).toBe(
      'password=ec-unknown-0123&refresh_token=[redacted]',
    );
  });

  test('has no secret that is cut off, a part of another, or among bytes that are no text', () => {
    expect(redactor.text('{"password":"canary-val')).toBe('{"password":"[redacted]"');
    expect(new Redactor(['abc', 'abcd']).text('abcd abc')).toBe('[redacted] [redacted]');
    const bytes = Buffer.concat([Buffer.from([0xff]), Buffer.from('pässword')]);
    const { base64 = '' } = recordBytes(bytes, new Redactor(['pässword']));
    expect(Buffer.from(base64, 'base64').subarray(1).toString()).toBe('[redacted]');
  });

  test('is text up to the last whole character, or base64', () => {
    expect(recordBytes(Buffer.from('grün'), redactor)).toEqual({ size: 5, text: 'grün', truncated: false });
    expect(recordBytes(Buffer.from([0xff, 0x00]), redactor)).toEqual({ size: 2, base64: '/wA=', truncated: false });
    const long = recordBytes(Buffer.from(`${'x'.repeat(64 * 1024 - 1)}ü`), redactor);
    expect(long).toMatchObject({ size: 64 * 1024 + 1, truncated: true });
    expect(long.text).toHaveLength(64 * 1024 - 1);
  });

  test('can be repeated with curl', () => {
    const address = parseAddress('unix:///run/engine.sock');
    const headers = [['content-type', 'application/json']] as const;
    const request = { method: 'POST', path: '/v1.20/containers/create?name=a', headers, body: `{"Cmd":["it's"]}` };
    expect(curlLine(address, request)).toBe(
      `curl -i -X POST --unix-socket /run/engine.sock -H 'content-type: application/json' --data-binary '{"Cmd":["it'\\''s"]}' 'http://localhost/v1.20/containers/create?name=a'`,
    );
  });

  test('can be repeated with curl by TLS, and on an IPv6 address', () => {
    const request = { method: 'GET', path: '/v1.20/info', headers: [] };
    const file = fileURLToPath(import.meta.url);
    const secured = parseAddress('tcp://[::1]:2376', { ca: file, cert: file });
    expect(curlLine(secured, request)).toBe(`curl -i --cacert ${file} --cert ${file} 'https://[::1]:2376/v1.20/info'`);
  });
});
