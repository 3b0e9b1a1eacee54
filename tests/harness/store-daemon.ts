import type { ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import type { ResourceKind } from '../../harness/sandbox/journal.ts';
import type { DaemonAccess } from '../../harness/sandbox/ownership.ts';
import { undiciTransport } from '../../harness/transport/undici-transport.ts';
import { httpServer } from './servers.ts';

/** A thing on a daemon, under its identifier and its names. */
export interface Thing {
  readonly kind: ResourceKind;
  readonly id: string;
  readonly names: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
}

export interface StoreDaemon {
  readonly asked: DaemonAccess;
  /** What is there now. */
  readonly things: Thing[];
  /** Method and path of every request that changes something. */
  readonly changes: string[];
}

export interface Oddities {
  /** Called before each request; true when it answered itself. */
  readonly odd?: (request: string, answer: ServerResponse, daemon: StoreDaemon) => boolean | undefined;
}

const paths: readonly [ResourceKind, RegExp][] = [
  ['container', /^\/v1\.23\/containers\/([^/?]+)/],
  ['image', /^\/v1\.23\/images\/([^/?]+)/],
  ['volume', /^\/v1\.23\/volumes\/([^/?]+)/],
  ['network', /^\/v1\.23\/networks\/([^/?]+)/],
];

/** A daemon that lists, shows and removes things, and can do nothing else. */
export async function storeDaemon(initial: readonly Thing[], { odd }: Oddities = {}): Promise<StoreDaemon> {
  const address = await httpServer((request, answer) => {
    const what = `${request.method} ${request.url}`;
    if (request.method !== 'GET') daemon.changes.push(what);
    if (odd?.(what, answer, daemon)) return;
    const send = (status: number, body: unknown) => {
      answer.writeHead(status).end(JSON.stringify(body));
    };
    const url = request.url ?? '';
    const all = (kind: ResourceKind) => daemon.things.filter((thing) => thing.kind === kind);
    if (url === '/v1.23/containers/json?all=1') return send(200, all('container').map(containerItem));
    // Whatever filters it has: some engines ignore them.
    if (/^\/v1\.23\/images\/json(?:\?filters=|$)/.test(url)) return send(200, all('image').map(imageItem));
    if (url === '/v1.23/volumes') return send(200, { Volumes: all('volume').map(namedItem) });
    if (url === '/v1.23/networks') return send(200, all('network').map(namedItem));
    for (const [kind, path] of paths) {
      const ref = path.exec(url)?.[1];
      const thing = ref && all(kind).find(({ id, names }) => [id, ...names].includes(decodeURIComponent(ref)));
      if (!thing) continue;
      if (request.method === 'DELETE') daemon.things.splice(daemon.things.indexOf(thing), 1);
      return send(200, inspect(thing));
    }
    return send(404, { message: 'no such thing' });
  });
  const transport = undiciTransport(address);
  onTestFinished(() => transport.close());
  const daemon: StoreDaemon = {
    asked: { transport, api: '1.23', boundMs: 2_000 },
    things: [...initial],
    changes: [],
  };
  return daemon;
}

function containerItem({ id, names, labels = {} }: Thing) {
  return { Id: id, Names: names.map((name) => `/${name}`), Labels: labels };
}

function imageItem({ id, names, labels = {} }: Thing) {
  return { Id: id, RepoTags: names.length > 0 ? names : ['<none>:<none>'], Labels: labels };
}

function namedItem({ id, names: [name], labels = {} }: Thing) {
  return { Id: id, Name: name, Labels: labels };
}

function inspect({ kind, id, names, labels = {} }: Thing) {
  if (kind === 'container') return { Id: id, Name: `/${names[0]}`, Config: { Labels: labels } };
  return kind === 'image'
    ? { Id: id, RepoTags: names, Config: { Labels: labels } }
    : namedItem({ kind, id, names, labels });
}
