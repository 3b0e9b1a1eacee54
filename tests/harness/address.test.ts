import { describe, expect, test } from 'vitest';
import { parseAddress } from '../../harness/target/address.ts';
import { UsageError } from '../../harness/usage-error.ts';

describe('a target address', () => {
  test.each([
    ['unix:///run/engine.sock', { kind: 'unix', socketPath: '/run/engine.sock' }],
    ['tcp://127.0.0.1:2375', { kind: 'tcp', host: '127.0.0.1', port: 2375 }],
    ['tcp://engine', { kind: 'tcp', host: 'engine', port: 2375 }],
    ['tcp://[::1]:4000', { kind: 'tcp', host: '::1', port: 4000 }],
    ['http://localhost:8080', { kind: 'tcp', host: 'localhost', port: 8080 }],
    ['http://localhost', { kind: 'tcp', host: 'localhost', port: 80 }],
    ['https://engine', { kind: 'tcp', host: 'engine', port: 443, tls: {}, tlsFiles: {} }],
  ])('%s is understood', (text, address) => {
    expect(parseAddress(text)).toMatchObject(address);
  });

  test.each(['', 'engine.sock', 'unix://relative.sock', 'ftp://engine', 'tcp://'])('%o is refused', (text) => {
    expect(() => parseAddress(text)).toThrow(UsageError);
  });

  test.each(['http', 'tcp'])('a user in it is refused, and the password not repeated: %s', (scheme) => {
    const parse = () => parseAddress(`${scheme}://ada:open-sesame@engine:2375`);
    expect(parse).toThrow('must not contain a user');
    expect(parse).not.toThrow('open-sesame');
  });

  test('a file of TLS that is missing is named', () => {
    expect(() => parseAddress('https://engine', { ca: '/nowhere/ca.pem' })).toThrow('/nowhere/ca.pem');
  });
});
