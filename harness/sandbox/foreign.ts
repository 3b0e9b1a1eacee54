import type { Transport, WireRequest } from '../transport/wire.ts';
import { Blocked } from '../verdict/outcomes.ts';
import type { ResourceKind } from './journal.ts';
import { type DaemonAccess, listItems, memberOf, textsIn } from './ownership.ts';

/** The names and identifiers of what was on a daemon before a run made anything. */
export type Foreign = Readonly<Record<ResourceKind, readonly string[]>>;

/** Every daemon has these; a rule says that it refuses to remove them. */
const predefinedNetworks = ['bridge', 'host', 'none'];

/** @throws TransportError when the daemon does not answer */
export async function listForeign(daemon: DaemonAccess): Promise<Foreign> {
  const refs = async (kind: ResourceKind, read: (item: unknown) => unknown[]) => {
    const items = (await listItems(daemon, kind)) ?? [];
    return items.flatMap(read).filter((ref) => typeof ref === 'string');
  };
  const [container, image, volume, network] = await Promise.all([
    refs('container', (item) => [
      memberOf(item, 'Id'),
      ...textsIn(memberOf(item, 'Names')).map((name) => name.replace(/^\//, '')),
    ]),
    refs('image', (item) => [
      memberOf(item, 'Id'),
      ...textsIn(memberOf(item, 'RepoTags')).flatMap((tag) => [tag, tag.replace(/:latest$/, '')]),
    ]),
    refs('volume', (item) => [memberOf(item, 'Name')]),
    refs('network', (item) => {
      const name = memberOf(item, 'Name');
      return typeof name === 'string' && predefinedNetworks.includes(name) ? [] : [memberOf(item, 'Id'), name];
    }),
  ]);
  return { container, image, volume, network };
}

/**
 * A transport that changes nothing that was on the daemon before the run, whatever identifiers the daemon answers and
 * whatever a check does with them. It throws Blocked for such a request and does not send it.
 */
export function guarded(transport: Transport, foreign: Foreign): Transport {
  const guard = (request: WireRequest) => {
    const touched = touches(request, foreign);
    if (touched === undefined) return;
    throw new Blocked(`${request.method} ${request.path} was not sent: ${touched} was there before the run`);
  };
  return {
    async exchange(request, bounds) {
      guard(request);
      return transport.exchange(request, bounds);
    },
    async open(request, bounds) {
      guard(request);
      return transport.open(request, bounds);
    },
    connect: () => transport.connect(),
    close: () => transport.close(),
  };
}

const places: readonly { kind: ResourceKind; path: RegExp; changedBy: (method: string) => boolean }[] = [
  { kind: 'container', path: /\/containers\/([^/?]+)/, changedBy: (method) => method !== 'GET' && method !== 'HEAD' },
  // Containers of the run may join networks and be made from images that were there before.
  { kind: 'network', path: /\/networks\/([^/?]+)/, changedBy: (method) => method === 'DELETE' },
  { kind: 'volume', path: /\/volumes\/([^/?]+)/, changedBy: (method) => method === 'DELETE' },
  { kind: 'image', path: /\/images\/([^?]+)/, changedBy: (method) => method === 'DELETE' },
];

function touches({ method, path }: WireRequest, foreign: Foreign): string | undefined {
  for (const place of places) {
    const [, ref] = place.changedBy(method) ? (place.path.exec(path) ?? []) : [];
    if (ref === undefined) continue;
    const plain = decoded(ref);
    const found = foreign[place.kind].find((known) => means(plain, known));
    if (found !== undefined) return `${place.kind} ${found}`;
  }
  return undefined;
}

/** Whether a daemon may resolve a reference to the thing with that name or identifier, of which a prefix is enough. */
function means(ref: string, known: string): boolean {
  if (ref === known) return true;
  const [hex, knownHex] = [ref, known].map((text) => text.replace(/^sha256:/, ''));
  if (hex === undefined || knownHex === undefined) return false;
  return /^[0-9a-f]{64}$/.test(knownHex) && /^[0-9a-f]{6,}$/.test(hex) && knownHex.startsWith(hex);
}

function decoded(ref: string): string {
  try {
    return decodeURIComponent(ref);
  } catch {
    return ref;
  }
}
