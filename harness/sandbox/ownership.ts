import type { ApiVersion } from '../../specs/versions.ts';
import { TransportError } from '../transport/errors.ts';
import type { Transport, WireAnswer } from '../transport/wire.ts';
import type { ResourceKind } from './journal.ts';
import { prefixOf, runLabel } from './marks.ts';

/** A thing on a daemon that a run made: by its name, its identifier, or both. */
export interface MadeThing {
  readonly kind: ResourceKind;
  readonly name: string;
  readonly id?: string;
  /** The daemon chose the name, and it did not exist before the run. */
  readonly isNew?: boolean;
  /** A label of a build, as `key=value`, that nothing else has. A build that fails leaves images with it, but no name. */
  readonly label?: string;
}

/** How the sandbox sends requests to a daemon. */
export interface DaemonAccess {
  readonly transport: Transport;
  readonly api: ApiVersion;
  /** Bound of each exchange in milliseconds. */
  readonly boundMs: number;
}

/** @throws TransportError when the daemon does not answer */
export function ask({ transport, api, boundMs }: DaemonAccess, method: string, path: string): Promise<WireAnswer> {
  return transport.exchange({ method, path: `/v${api}${path}`, headers: {} }, { wholeMs: boundMs });
}

const inspectPaths: Readonly<Record<ResourceKind, (ref: string) => string>> = {
  container: (ref) => `/containers/${ref}/json`,
  image: (ref) => `/images/${ref}/json`,
  volume: (ref) => `/volumes/${ref}`,
  network: (ref) => `/networks/${ref}`,
};

/** @param ref as in a path. @throws TransportError when the daemon does not answer */
export function inspect(daemon: DaemonAccess, kind: ResourceKind, ref: string): Promise<WireAnswer> {
  return ask(daemon, 'GET', inspectPaths[kind](ref));
}

/** Whether a name is one that the run gives. An image may have a registry in its name: `host:5000/ec-…`. */
export function isNameOf(run: string, name: string): boolean {
  const last = name.slice(name.lastIndexOf('/') + 1);
  return last.startsWith(prefixOf(run));
}

/**
 * Whether the thing under an identifier is the run's: it has the run's label or one of its names. An identifier alone
 * proves nothing, as the daemon assigns it.
 * @throws TransportError when the daemon does not answer
 */
export async function isOfRun(daemon: DaemonAccess, run: string, { kind, id }: { kind: ResourceKind; id: string }) {
  const answer = await inspect(daemon, kind, encodeURIComponent(id));
  const item = answer.status === 200 ? parse(answer) : undefined;
  const labels = memberOf(memberOf(item, 'Config'), 'Labels') ?? memberOf(item, 'Labels');
  const labelled = memberOf(labels, runLabel) === run;
  // Removing an image by its identifier removes all its names, which may include other people's.
  if (kind === 'image') return labelled && textsIn(memberOf(item, 'RepoTags')).every((tag) => isNameOf(run, tag));
  const name = memberOf(item, 'Name');
  return labelled || (typeof name === 'string' && isNameOf(run, name));
}

/**
 * What a daemon lists as the run's, in the order in which it can be removed. Everything is listed and inspected here,
 * so that nothing of anyone else's is removed on a daemon that ignores filters.
 * @returns undefined for a kind that the daemon does not list
 * @throws TransportError when the daemon does not answer
 */
export async function listOwned(
  daemon: DaemonAccess,
  run: string,
): Promise<Record<ResourceKind, MadeThing[] | undefined>> {
  const list = async (kind: ResourceKind, read: (item: unknown) => MadeThing[]) => {
    return (await listItems(daemon, kind))?.flatMap(read);
  };
  const [container, network, volume, image] = await Promise.all([
    list('container', (item) => {
      // Links appear as names within other containers: '/other/alias'.
      const own = textsIn(memberOf(item, 'Names')).find((name) => name.startsWith(`/${prefixOf(run)}`));
      return made('container', own?.slice(1), item, run);
    }),
    list('network', (item) => made('network', ownName(item, run), item, run)),
    list('volume', (item) => made('volume', ownName(item, run), item, run)),
    list('image', (item) => {
      const tags = tagsOf(item);
      const own = tags.filter((tag) => isNameOf(run, tag));
      if (own.length > 0) return own.map((name): MadeThing => ({ kind: 'image', name }));
      return tags.length === 0 ? made('image', undefined, item, run) : [];
    }),
  ]);
  return { container, network, volume, image };
}

const listPaths: Readonly<Record<ResourceKind, string>> = {
  container: '/containers/json',
  image: '/images/json',
  volume: '/volumes',
  network: '/networks',
};

const allOf: Readonly<Record<ResourceKind, string>> = { container: '?all=1', image: '', volume: '', network: '' };

/**
 * What a daemon lists of a kind; undefined when it does not.
 * @param query of the list, with its question mark
 * @throws TransportError when it does not answer
 */
export async function listItems(
  daemon: DaemonAccess,
  kind: ResourceKind,
  query: string = allOf[kind],
): Promise<unknown[] | undefined> {
  const answer = await ask(daemon, 'GET', listPaths[kind] + query);
  if (answer.status !== 200) return undefined;
  const body = parse(answer);
  const items = kind === 'volume' ? (memberOf(body, 'Volumes') ?? []) : body;
  return Array.isArray(items) ? items : undefined;
}

/**
 * The images with a label, as `key=value`, and without a name.
 * @throws TransportError when the daemon does not answer
 */
export async function listUnnamedImages(daemon: DaemonAccess, label: string): Promise<string[]> {
  const filters = encodeURIComponent(JSON.stringify({ label: [label] }));
  const [key = '', ...rest] = label.split('=');
  const items = (await listItems(daemon, 'image', `?filters=${filters}`)) ?? [];
  return items.flatMap((item) => {
    const id = memberOf(item, 'Id');
    // The daemon may ignore filters.
    const hasLabel = memberOf(memberOf(item, 'Labels'), key) === rest.join('=');
    return typeof id === 'string' && hasLabel && tagsOf(item).length === 0 ? [id] : [];
  });
}

function tagsOf(item: unknown): string[] {
  return textsIn(memberOf(item, 'RepoTags')).filter((tag) => tag !== '<none>:<none>');
}

function made(kind: ResourceKind, name: string | undefined, item: unknown, run: string): MadeThing[] {
  const id = memberOf(item, kind === 'volume' ? 'Name' : 'Id');
  if (typeof id !== 'string') return name === undefined ? [] : [{ kind, name }];
  const labelled = memberOf(memberOf(item, 'Labels'), runLabel) === run;
  return name !== undefined || labelled ? [{ kind, name: name ?? id, id }] : [];
}

function ownName(item: unknown, run: string): string | undefined {
  const name = memberOf(item, 'Name');
  return typeof name === 'string' && isNameOf(run, name) ? name : undefined;
}

function parse(answer: WireAnswer): unknown {
  try {
    return JSON.parse(answer.body.toString('utf8'));
  } catch (error) {
    throw new TransportError('malformed', 'the answer to a question of the clean-up is no JSON', { cause: error });
  }
}

export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([known]) => known === name)?.[1];
}

export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
