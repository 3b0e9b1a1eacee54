import { type CheckContext, check, fixture } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { ignoresQuery, knowsOnly, swallows, takesQueryAs } from '../../harness/faults/requests.ts';
import { valuesAt } from '../../harness/streams/json-path.ts';
import type { Target } from '../../harness/target/target.ts';
import { workingVersion } from '../../harness/target/working-version.ts';
import { atLeast } from '../../specs/versions.ts';
import { type CommonContainer, idle, useCommon } from '../support/common-containers.ts';
import { removeLink } from './support/links.ts';
import { checkOperation } from './support/operation-checks.ts';

const [yes, no] = [
  ['1', 'True', 'true'],
  ['0', 'False', 'false'],
] as const;

checkOperation('remove', 'created', (container) => container.remove());

/** A removal after which the container no longer exists. */
async function expectGone(container: Container, remove: () => Promise<Exchange>): Promise<void> {
  await control(container.inspect(), 200);
  expect(await remove()).toHaveStatus(204);
  expect(await container.inspect()).toHaveStatus(404);
}

check('containers.remove.container-gone', { faults: [swallows(204)] }, async ({ engine }) => {
  const container = await makeContainer(engine);
  await control(container.inspect(), 200);
  await given(container.remove(), 204);
  for (const form of [container.id, container.name]) {
    expect(await engine.get(`/containers/${form}/json`)).toHaveStatus(404);
  }
});

check('containers.remove.force-kills', { faults: [ignoresQuery('force')] }, async ({ engine }) => {
  const container = await makeContainer(engine, { state: 'running' });
  await expectGone(container, () => container.remove({ force: true }));
});

/** A removal that is refused leaves the container as it was (interpretation `remove-running`). */
async function expectRefused(container: Container, query: Readonly<Record<string, string>>): Promise<void> {
  expect(await container.remove(query)).toBeRefused();
  expect(await container.inspect()).toHaveStatus(200);
}

check('containers.remove.force-default-false', { faults: [takesQueryAs('force', '1')] }, async ({ engine }) => {
  await control((await makeContainer(engine)).remove(), 204);
  await expectRefused(await makeContainer(engine, { state: 'running' }), {});
});

check(
  'containers.remove.force-spellings',
  { faults: [knowsOnly('force', '1'), takesQueryAs('force', '1')] },
  async ({ engine }) => {
    const refused = await makeContainer(engine, { state: 'running' });
    for (const force of no) await expectRefused(refused, { force });
    const others = yes.slice(1).map(() => makeContainer(engine, { state: 'running' }));
    for (const [place, container] of [refused, ...(await Promise.all(others))].entries()) {
      expect(await container.remove({ force: yes[place] })).toHaveStatus(204);
    }
  },
);

/** Two removals of one running container, and inspect after the second. */
const ofRunning = fixture('two removals of a running container', async ({ engine }) => {
  const container = await makeContainer(engine, { state: 'running' });
  const plain = await container.remove();
  const odd = await container.remove({ force: 'maybe' });
  return { plain, odd, after: await container.inspect() };
});

check('containers.remove.running-status', { faults: [] }, async ({ use }) => {
  const { plain } = await use(ofRunning);
  observe(`answers ${plain.status}`, plain);
});

check('containers.remove.flag-other', { faults: [] }, async ({ use }) => {
  const { odd, after } = await use(ofRunning);
  observe(`answers ${odd.status}, and the container is ${after.status === 200 ? 'there' : 'gone'}`, odd, after);
});

check('containers.remove.paused', { faults: [] }, async ({ engine }) => {
  const answer = await (await makeContainer(engine, { state: 'paused' })).remove();
  observe(`answers ${answer.status}`, answer);
});

/** Volumes have endpoints since 1.21; a container of 1.20 is looked up through a newer version. */
function newer({ target }: Engine): string {
  return `/v${workingVersion(target.serves)}`;
}

function withoutVolumes({ serves }: Target): string | undefined {
  return serves.some((one) => atLeast(one, '1.23'))
    ? undefined
    : 'volumes can be looked at only by a daemon that serves 1.23 or later';
}

/** A container with a volume that the daemon named, and the name. */
async function makeWithVolume(engine: Engine): Promise<{ container: Container; volume: string }> {
  const before = await given(engine.request('GET', '/volumes', { prefix: newer(engine) }), 200);
  const container = await makeContainer(engine, { config: { Volumes: { '/ec-volume': {} } } });
  const inspect = await given(engine.request('GET', container.path('json'), { prefix: newer(engine) }), 200);
  const volume = String(valuesAt(inspect.json, 'Mounts[].Name')[0]);
  engine.made({ kind: 'volume', name: volume, isNew: !valuesAt(before.json, 'Volumes[].Name').includes(volume) });
  return { container, volume };
}

function volumeOf(engine: Engine, volume: string): Promise<Exchange> {
  return engine.request('GET', `/volumes/${volume}`, { prefix: newer(engine) });
}

async function removeWith(engine: Engine, v: string | undefined): Promise<Exchange> {
  const { container, volume } = await makeWithVolume(engine);
  await control(volumeOf(engine, volume), 200);
  await given(container.remove({ v }), 204);
  return volumeOf(engine, volume);
}

check(
  'containers.remove.v-removes-volumes',
  { faults: [ignoresQuery('v')], notOn: withoutVolumes },
  async ({ engine }) => {
    expect(await removeWith(engine, '1')).toHaveStatus(404);
  },
);

check(
  'containers.remove.v-default-false',
  { faults: [takesQueryAs('v', '1')], notOn: withoutVolumes },
  async ({ engine }) => {
    expect(await removeWith(engine, undefined)).toHaveStatus(200);
  },
);

check(
  'containers.remove.v-spellings',
  { faults: [knowsOnly('v', '1'), takesQueryAs('v', '1')], notOn: withoutVolumes },
  async ({ engine }) => {
    for (const v of yes) expect(await removeWith(engine, v)).toHaveStatus(404);
    for (const v of no) expect(await removeWith(engine, v)).toHaveStatus(200);
  },
);

/** A container with a link to a running one. */
async function makeLinked(context: CheckContext): Promise<{ other: CommonContainer; linked: Container }> {
  const other = await useCommon(context, idle);
  const linked = await makeContainer(context.engine, { hostConfig: { Links: [`${other.name}:ec-alias`] } });
  return { other, linked };
}

async function expectLinkGone(context: CheckContext, link: string): Promise<void> {
  const { engine } = context;
  const { other, linked } = await makeLinked(context);
  expect(await removeLink(engine, linked, 'ec-alias', link)).toHaveStatus(204);
  expect(await other.inspect()).toHaveStatus(200);
  const inspect = await linked.inspect();
  expect(inspect).toHaveStatus(200);
  const left = valuesAt(inspect.json, 'HostConfig.Links')
    .flat()
    .filter((one) => /ec-alias$/.test(String(one)));
  expectValue('what HostConfig.Links of inspect has of the link', left, [inspect]).toBe([]);
}

check('containers.remove.link-removes-link', { faults: [ignoresQuery('link'), swallows(204)] }, async (context) => {
  await expectLinkGone(context, '1');
});

check('containers.remove.link-default-false', { faults: [takesQueryAs('link', '1')] }, async (context) => {
  const { linked } = await makeLinked(context);
  await expectGone(linked, () => linked.remove());
});

check(
  'containers.remove.link-spellings',
  { faults: [knowsOnly('link', '1'), takesQueryAs('link', '1')] },
  async (context) => {
    for (const link of yes) await expectLinkGone(context, link);
    for (const link of no) {
      const { linked } = await makeLinked(context);
      expect(await linked.remove({ link })).toHaveStatus(204);
    }
  },
);
