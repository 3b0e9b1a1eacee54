import type { ApiVersion } from '../../specs/versions.ts';
import type { Transport, WireAnswer } from '../transport/wire.ts';
import type { ResourceKind } from './journal.ts';
import { runLabel } from './sandbox.ts';

const removeMs = 30_000;

const paths: Readonly<Record<ResourceKind, (name: string) => string>> = {
  container: (name) => `/containers/${name}?force=1&v=1`,
  image: (name) => `/images/${name}?force=1`,
  volume: (name) => `/volumes/${name}`,
  network: (name) => `/networks/${name}`,
};

/**
 * Removes one thing of the suite.
 * @returns whether it is gone: removed now, or not there
 * @throws TransportError when the daemon does not answer
 */
export async function remove(
  transport: Transport,
  api: ApiVersion,
  kind: ResourceKind,
  name: string,
): Promise<boolean> {
  return (await removal(transport, api, kind, name)) !== 'refused';
}

/**
 * Removes one thing of the suite.
 * @throws TransportError when the daemon does not answer
 */
export async function removal(
  transport: Transport,
  api: ApiVersion,
  kind: ResourceKind,
  name: string,
): Promise<'removed' | 'absent' | 'refused'> {
  const { status } = await ask(transport, api, 'DELETE', paths[kind](encodeURIComponent(name)));
  if (status < 300) return 'removed';
  return status === 404 ? 'absent' : 'refused';
}

/**
 * The identifiers of the containers that a run made, by its label or its name prefix. Every container is listed and
 * looked at here, so that a daemon that ignores filters gets nothing removed that is not the suite's.
 */
export async function containersOf(transport: Transport, api: ApiVersion, run: string): Promise<string[]> {
  const answer = await ask(transport, api, 'GET', '/containers/json?all=1');
  const items: unknown = answer.status === 200 ? JSON.parse(answer.body.toString('utf8')) : [];
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: unknown) => {
    const { Id, Labels, Names } = Object(item) as { Id?: unknown; Labels?: unknown; Names?: unknown };
    const labelled = Object(Labels)[runLabel] === run;
    const named = Array.isArray(Names) && Names.some((name) => String(name).startsWith(`/ec-${run}-`));
    return typeof Id === 'string' && (labelled || named) ? [Id] : [];
  });
}

function ask(transport: Transport, api: ApiVersion, method: string, path: string): Promise<WireAnswer> {
  return transport.exchange({ method, path: `/v${api}${path}`, headers: {} }, { wholeMs: removeMs });
}
