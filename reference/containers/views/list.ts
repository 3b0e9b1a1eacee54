import type { Engine } from '../../engine.ts';
import { badParameter } from '../../errors.ts';
import type { Call } from '../../http/call.ts';
import { type Filters, labelsMatch } from '../../http/query.ts';
import type { Container } from '../container.ts';
import { containerListItem } from './shapes.ts';

type Test = (container: Container) => boolean;

/** GET /containers/json (Document 2, List containers). */
export function listContainers(call: Call): void {
  const { engine, query } = call;
  const newer = call.since('1.23');
  const known = ['exited', 'status', 'label', ...(newer ? ['isolation', 'ancestor', 'before', 'since', 'volume'] : [])];
  const filters = query.filters(known);
  const limit = query.integer('limit') ?? 0;
  const withSizes = query.flag('size');
  const since = query.text('since') ?? filters.get('since')?.[0];
  const before = query.text('before') ?? filters.get('before')?.[0];
  const tests = [...filterTests(engine, filters, newer)];
  if (since !== undefined) tests.push(createdSince(reference(engine, since)));
  if (before !== undefined) tests.push(createdBefore(reference(engine, before)));
  const chooses =
    limit > 0 || since !== undefined || before !== undefined || filters.has('status') || filters.has('exited');
  const all = query.flag('all') || chooses;
  if (!all) tests.push(({ state }) => state.running);
  const newestFirst = engine.containers.all().reverse();
  const shown = newestFirst.filter((container) => tests.every((test) => test(container)));
  const names = linkNames(engine);
  const items = (limit > 0 ? shown.slice(0, limit) : shown).map((container) =>
    containerListItem(container, {
      api: call.api,
      names: [`/${container.name}`, ...(names.get(container) ?? [])],
      withSizes,
    }),
  );
  call.answer(200, items);
}

function reference(engine: Engine, text: string): Container {
  const container = engine.containers.find(text);
  if (!container) throw badParameter(`there is no container ${text} to compare with`);
  return container;
}

function createdSince(other: Container): Test {
  return ({ created }) => created > other.created;
}

function createdBefore(other: Container): Test {
  return ({ created }) => created < other.created;
}

function* filterTests(engine: Engine, filters: Filters, newer: boolean): Generator<Test> {
  const labels = filters.get('label');
  if (labels) yield ({ config }) => labelsMatch(config.Labels, labels);
  const codes = filters.get('exited')?.map(readCode);
  if (codes) yield ({ status, state }) => status === 'exited' && codes.includes(state.exitCode);
  const statuses = filters.get('status');
  if (statuses) {
    const known = ['created', 'restarting', 'running', 'paused', 'exited', ...(newer ? ['dead'] : [])];
    for (const status of statuses) {
      if (!known.includes(status)) throw badParameter(`filters: there is no status ${JSON.stringify(status)}`);
    }
    yield ({ status }) => statuses.includes(status);
  }
  const ancestors = filters.get('ancestor');
  if (ancestors) {
    const wanted = ancestors.map((name) => engine.images.find(name)?.id).filter((id) => id !== undefined);
    yield ({ image }) => wanted.some((id) => descends(engine, image.id, id));
  }
  const volumes = filters.get('volume');
  if (volumes) {
    yield ({ mounts }) =>
      mounts.some(({ volume, destination }) => volumes.some((text) => text === volume?.name || text === destination));
  }
}

function readCode(text: string): number {
  if (!/^-?\d{1,9}$/.test(text)) throw badParameter(`filters: exited=${JSON.stringify(text)} is not an integer`);
  return Number(text);
}

function descends(engine: Engine, id: string, ancestor: string): boolean {
  for (let at: string | undefined = id; at; at = engine.images.byId(at)?.parent) if (at === ancestor) return true;
  return false;
}

/** The names that containers have as links of others: `/parent/alias`. */
function linkNames(engine: Engine): Map<Container, string[]> {
  const names = new Map<Container, string[]>();
  for (const parent of engine.containers.all()) {
    for (const link of parent.hostConfig.Links) {
      const [name = '', alias = ''] = link.replace(/^\//, '').split(':');
      const child = engine.containers.find(name);
      if (child) names.set(child, [...(names.get(child) ?? []), `/${parent.name}/${alias}`]);
    }
  }
  return names;
}
