import { expect, test, vi } from 'vitest';
import { ImageGate } from '../../harness/transport/image-gate.ts';
import type { Transport, WireAnswer, WireRequest } from '../../harness/transport/wire.ts';

const answer: WireAnswer = { status: 200, headers: [], body: Buffer.alloc(0) };

/** A gate before a daemon that answers when the test says so. */
function gated(atFirstMs?: number) {
  const open = new Map<string, () => void>();
  const transport: Transport = {
    exchange: ({ method, path }: WireRequest) =>
      new Promise((resolve) => open.set(`${method} ${path}`, () => resolve(answer))),
    open: () => Promise.reject(new Error('no live answers here')),
    connect: () => Promise.reject(new Error('no plain connections here')),
    close: async () => {},
  };
  const gate = new ImageGate(transport, atFirstMs);
  const ended: Promise<unknown>[] = [];
  const sent: string[] = [];
  return {
    async send(...requests: readonly string[]) {
      for (const request of requests) {
        const [method = '', path = ''] = request.split(' ');
        const bounds = { wholeMs: 1000, onTurn: () => void sent.push(request) };
        ended.push(gate.exchange({ method, path, headers: {} }, bounds));
      }
      await settle();
    },
    /** The requests that came to the daemon and have no answer. */
    under: () => [...open.keys()],
    async answers(request: string) {
      open.get(request)?.();
      open.delete(request);
      await settle();
    },
    ended: () => Promise.all(ended),
    sent,
  };
}

function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const read = 'GET /v1.23/images/json';
const inspect = 'GET /v1.23/images/one/json';
const make = 'POST /v1.23/commit?container=one';
const remove = 'DELETE /v1.23/images/one?force=1';
const again = 'DELETE /v1.23/images/two';

test('lets requests of a kind go beside one another', async () => {
  const { send, under } = gated();
  await send(read, inspect);
  expect(under()).toEqual([read, inspect]);
});

test('lets an image be removed only when nothing else is under way, one after another', async () => {
  const { send, under, answers, ended } = gated();
  await send(read, remove, again);
  expect(under()).toEqual([read]);
  await answers(read);
  await vi.waitFor(() => expect(under()).toEqual([remove]));
  await send(inspect);
  await answers(remove);
  expect(under()).toEqual([again]);
  await answers(again);
  expect(under()).toEqual([inspect]);
  await answers(inspect);
  expect(await ended()).toHaveLength(4);
});

test('lets images be read while it gathers removals', async () => {
  const { send, under, answers } = gated();
  await send(read, remove, inspect);
  expect(under()).toEqual([read, inspect]);
  await answers(read);
  await answers(inspect);
  await vi.waitFor(() => expect(under()).toEqual([remove]));
});

test('tells when a request that waited is sent', async () => {
  const { send, answers, sent } = gated();
  await send(remove, inspect, 'GET /v1.23/info');
  expect(sent).toEqual([remove]);
  await answers(remove);
  expect(sent).toEqual([remove, inspect]);
});

test('lets images be read only when none is half made', async () => {
  const { send, under, answers } = gated();
  await send(make, read);
  expect(under()).toEqual([make]);
  await answers(make);
  expect(under()).toEqual([read]);
});

test('lets images be removed while a create goes on long after it has read its image', async () => {
  const create = 'POST /v1.23/containers/create';
  const { send, under, answers, ended } = gated(20);
  await send(create, remove);
  expect(under()).toEqual([create]);
  await vi.waitFor(() => expect(under()).toEqual([create, remove]));
  await answers(remove);
  await answers(create);
  expect(await ended()).toHaveLength(2);
});

test.each([
  'GET /v1.23/info',
  'POST /v1.23/images/create?fromImage=one',
  'POST /v1.23/build',
  'DELETE /v1.23/containers/one',
])('lets %s go at once', async (request) => {
  const { send, under } = gated();
  await send(remove);
  await send(request);
  expect(under()).toEqual([remove, request]);
});
