import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { download } from '../../reference/http/download.ts';

/** A server that ends so many connections without an answer, and then answers with this status. */
async function startServer(ended: number, status: number): Promise<string> {
  let count = 0;
  const server = createServer((request, answer) => {
    if (count++ < ended) request.socket.destroy();
    else answer.writeHead(status, { Connection: 'close' }).end('what there is');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const at = server.address();
  return `http://127.0.0.1:${typeof at === 'object' ? at?.port : ''}/file`;
}

test('what a server has is fetched, also where it ends one connection without an answer', async () => {
  expect((await download(await startServer(0, 200))).toString()).toBe('what there is');
  expect((await download(await startServer(1, 200))).toString()).toBe('what there is');
});

test('a server that ends every connection, and one that refuses, are told of with the reason', async () => {
  const silent = await startServer(Number.POSITIVE_INFINITY, 200);
  await expect(download(silent)).rejects.toThrow(`cannot fetch ${silent}: other side closed`);
  const refusing = await startServer(0, 404);
  await expect(download(refusing)).rejects.toThrow(`cannot fetch ${refusing}: status 404`);
});
