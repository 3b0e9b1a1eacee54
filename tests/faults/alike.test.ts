import { expect, test } from 'vitest';
import { answersStatus } from '../../harness/faults/answers.ts';
import { alike, on } from '../../harness/faults/fault.ts';
import { faultyTransport } from '../../harness/faults/faulty-transport.ts';
import { httpServer, transportTo } from '../harness/servers.ts';

const bounds = { wholeMs: 60_000 };

test('a deviation that shows at several endpoints acts at each of them, and nowhere else', async () => {
  const address = await httpServer((_request, answer) => answer.end('ok'));
  const fault = alike('is odd', answersStatus(201), on('GET /version', answersStatus(202)));
  expect(fault.name).toBe('is odd');
  const transport = faultyTransport(transportTo(address), fault, 'GET /info');
  const statusOf = async (path: string) =>
    (await transport.exchange({ method: 'GET', path, headers: {} }, bounds)).status;
  expect([await statusOf('/v1.23/info'), await statusOf('/v1.23/version'), await statusOf('/v1.23/_ping')]).toEqual([
    201, 202, 200,
  ]);
});
