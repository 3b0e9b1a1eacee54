import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { EndingTransport } from '../../harness/runner/ending-transport.ts';
import { rawServer, transportTo } from './servers.ts';

const events = { method: 'GET', path: '/v1.20/events', headers: {} };

test('a stream that begins after the end of the run is dropped, and costs nothing', async () => {
  let asked: (socket: Socket) => void = () => {};
  const connected = new Promise<Socket>((resolve) => {
    asked = resolve;
  });
  const transport = new EndingTransport(transportTo(await rawServer((socket) => asked(socket))));
  const opened = transport.open(events, { wholeMs: 5_000, upgrade: undefined });
  const socket = await connected;
  const refused = expect(opened).rejects.toThrow('the run has ended');
  await transport.end(0);
  await refused;
  const dropped = once(socket, 'end');
  socket.resume().write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n');
  await dropped;
});
