import { expect, test } from 'vitest';
import { tryReach } from '../../harness/suite-server/reach.ts';
import { SuiteServer, withSuiteServer } from '../../harness/suite-server/server.ts';
import { parseAddress } from '../../harness/target/address.ts';
import { engineAt } from './engines.ts';
import { httpServer } from './servers.ts';

const address = parseAddress('unix:///nowhere');

test('offers files at addresses of their own', async () => {
  const server = await SuiteServer.open(address);
  const first = server.offer({ name: 'file', contentType: 'text/plain', content: 'one' });
  const second = server.offer({ name: 'file', contentType: 'application/x-tar', content: Buffer.from('two') });
  expect(first).not.toBe(second);
  const answer = await fetch(second);
  expect(answer.headers.get('Content-Type')).toBe('application/x-tar');
  expect(await answer.text()).toBe('two');
  expect([server.wasAsked(first), server.wasAsked(second)]).toEqual([false, true]);
  expect((await fetch(`${first}-else`)).status).toBe(404);
  await server.close();
  await expect(fetch(second)).rejects.toThrow();
});

test('is open only as long as it is used, also when the use fails', async () => {
  let offered = '';
  const use = withSuiteServer(address, async (server) => {
    offered = server.offer({ name: 'file', contentType: 'text/plain', content: 'x' });
    throw new Error('failed');
  });
  await expect(use).rejects.toThrow('failed');
  await expect(fetch(offered)).rejects.toThrow();
});

test('listens where a daemon on another address reaches it', async () => {
  const server = await SuiteServer.open(parseAddress('tcp://127.0.0.1:2375'));
  expect(server.offer({ name: 'file', contentType: 'text/plain', content: 'x' })).toMatch(
    /^http:\/\/127\.0\.0\.1:\d+\//,
  );
  await server.close();
});

test.each([
  ['fetches', undefined],
  ['only answers', 'the daemon fetched nothing from the server of the suite'],
])('finds out that a daemon %s', async (does, reason) => {
  const daemon = await httpServer(async ({ url = '' }, answer) => {
    const source = new URL(url, 'http://daemon').searchParams.get('remote');
    if (does === 'fetches' && source !== null) await (await fetch(source)).text();
    answer.writeHead(500).end();
  });
  const { engine, transport } = engineAt(daemon);
  expect(await tryReach(transport, engine.target)).toBe(reason);
});
