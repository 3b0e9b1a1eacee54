import { buffer, text } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import { describe, expect, test } from 'vitest';
import { readTar } from '../../harness/engine/tar.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { dropsTarEntry, emptiesTarEntry } from '../../harness/faults/archives.ts';
import type { Fault } from '../../harness/faults/fault.ts';
import { faultyTransport } from '../../harness/faults/faulty-transport.ts';
import { dropsField } from '../../harness/faults/fields.ts';
import { changesObjects, inEachObject, separatesObjects } from '../../harness/faults/objects.ts';
import { swallows } from '../../harness/faults/requests.ts';
import {
  changesFrameHeaders,
  changesFrames,
  changesPieces,
  changesStream,
  encodeFrames,
  losesInput,
} from '../../harness/faults/streams.ts';
import { decodeFrames } from '../../harness/streams/frames.ts';
import { httpServer, rawServer, transportTo } from '../harness/servers.ts';

const endpoint = 'POST /containers/{id}/attach';
const request = { method: 'POST', path: '/v1.20/containers/x/attach', headers: {} };
const upgrading = { wholeMs: 5_000, upgrade: 'tcp' } as const;
const head = 'HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n';
const frames = [
  { stream: 'stdout', payload: Buffer.from('out') },
  { stream: 'stderr', payload: Buffer.from('err') },
] as const;

/** A hijacked connection to a daemon with the fault, which sends these bytes and then repeats what it gets. */
async function open(fault: Fault, bytes: Uint8Array) {
  const address = await rawServer((socket) => {
    socket.write(head);
    socket.write(bytes);
    socket.on('data', (chunk) => socket.write(chunk));
    socket.once('end', () => socket.end()).resume();
  });
  return faultyTransport(transportTo(address), fault, endpoint).open(request, upgrading);
}

/** What a check receives of these bytes when it sends nothing. */
async function received(fault: Fault, bytes: Uint8Array): Promise<Buffer> {
  const live = await open(fault, bytes);
  live.outgoing.end();
  return buffer(live.incoming);
}

describe('a fault of a stream', () => {
  test('changes all of it', async () => {
    const upper = changesStream('upper case', (bytes) => Buffer.from(bytes.toString().toUpperCase()));
    expect((await received(upper, Buffer.from('text'))).toString()).toBe('TEXT');
  });

  test('changes its frames', async () => {
    const swapped = changesFrames('reordered', (all) => all.toReversed());
    expect(decodeFrames(await received(swapped, encodeFrames(frames)))).toEqual(frames.toReversed());
  });

  test('changes the headers of its frames', async () => {
    const broken = changesFrameHeaders('type 9', (header) => {
      header[0] = 9;
    });
    expect([...(await received(broken, encodeFrames(frames)))].filter((byte) => byte === 9)).toHaveLength(2);
  });

  test('changes pieces as they come, while the stream goes on', async () => {
    const live = await open(
      changesPieces('stars', () => Buffer.from('*')),
      Buffer.from('text'),
    );
    const [first] = await live.incoming.take(1).toArray();
    expect(String(first)).toBe('*');
    live.destroy();
  });

  test('changes each object in it', async () => {
    const objects = Buffer.from('{"a":1,"b":2}\r\n{"a":3}');
    expect((await received(inEachObject(dropsField('a')), objects)).toString()).toBe('{"b":2}{}');
    const losesOne = changesObjects('loses one', (object) =>
      JSON.stringify(object).includes('b') ? undefined : object,
    );
    expect((await received(losesOne, objects)).toString()).toBe('{"a":3}\n');
    expect((await received(separatesObjects(','), Buffer.from('{"a":1}\n'))).toString()).toBe('{"a":1},');
  });

  test('loses what the client sends', async () => {
    const live = await open(losesInput(), Buffer.from('hello'));
    live.outgoing.write('input');
    live.outgoing.end();
    expect(await text(live.incoming)).toBe('hello');
  });

  test('lets input through when it is about something else, half-close and all', async () => {
    const live = await open(
      changesPieces('nothing', (piece) => piece),
      Buffer.from('hello '),
    );
    live.outgoing.write('input');
    live.outgoing.end();
    expect(await text(live.incoming)).toBe('hello input');
  });

  test('changes the status of its head', async () => {
    expect((await open(answersStatus(500), Buffer.from(''))).status).toBe(500);
  });

  test('answers in the place of the daemon', async () => {
    const live = await open(swallows(200, 'nothing'), Buffer.from('text'));
    live.outgoing.write('into the void');
    expect([live.status, live.upgraded, await text(live.incoming)]).toEqual([200, false, 'nothing']);
  });

  test('of a stream that breaks leaves it broken', async () => {
    const address = await rawServer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nfour'));
    const fault = changesPieces('nothing', (piece) => piece);
    const live = await faultyTransport(transportTo(address), fault, endpoint).open(request, upgrading);
    await expect(text(live.incoming)).rejects.toMatchObject({ name: 'TransportError' });
  });

  test('closes the connection to the daemon when the check drops it', async () => {
    let closed = false;
    const address = await httpServer((_request, answer) => {
      answer.writeHead(200).write('text');
      answer.once('close', () => {
        closed = true;
      });
    });
    const fault = changesPieces('nothing', (piece) => piece);
    const live = await faultyTransport(transportTo(address), fault, endpoint).open(request, upgrading);
    live.destroy();
    await expect.poll(() => closed).toBe(true);
  });
});

describe('a fault of an archive', () => {
  async function archive(): Promise<Buffer> {
    const tar = pack();
    tar.entry({ name: 'one' }, 'first');
    tar.entry({ name: './two' }, 'second');
    tar.finalize();
    return buffer(tar);
  }

  test('leaves an entry out', async () => {
    const entries = await readTar(await received(dropsTarEntry('two'), await archive()));
    expect(entries.map(({ name }) => name)).toEqual(['one']);
  });

  test('empties an entry', async () => {
    const entries = await readTar(await received(emptiesTarEntry('one'), await archive()));
    expect(entries.map(({ content }) => content.toString())).toEqual(['\0'.repeat(5), 'second']);
  });
});
