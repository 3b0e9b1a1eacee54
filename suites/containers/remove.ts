import { type CheckContext, check, type FixtureContext, fixture } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { type ContainerOptions, makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import { lookUntil } from '../../harness/engine/look-until.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { refusalsOf } from '../../harness/expect/refusal.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { ignoresQuery, knowsOnly, swallows, takesQueryAs } from '../../harness/faults/requests.ts';
import { valuesAt } from '../../harness/streams/json-path.ts';
import type { Target } from '../../harness/target/target.ts';
import { workingVersion } from '../../harness/target/working-version.ts';
import { atLeast } from '../../specs/versions.ts';
import { type CommonContainer, idle, useCommon } from '../support/common-containers.ts';
import { afterOthers, anotherTime, ifRight, ifThere, itself } from '../support/shared-results.ts';
import { releasedMs } from '../volumes/support/volumes.ts';
import { killed } from './kill.ts';
import { removeLink } from './support/links.ts';
import { checkOperation } from './support/operation-checks.ts';

const [yes, no] = [
  ['1', 'True', 'true'],
  ['0', 'False', 'false'],
] as const;

// Of one that was never started, it is judged below.
checkOperation('remove', 'exited', (container) => container.remove(), killed);

/** Volumes have endpoints since 1.21; a container of 1.20 is looked up through a newer version. */
function newer({ target }: Engine): string {
  return `/v${workingVersion(target.serves)}`;
}

function withoutVolumes({ serves }: Target): string | undefined {
  return serves.some((one) => atLeast(one, '1.23'))
    ? undefined
    : 'volumes can be looked at only by a daemon that serves 1.23 or later';
}

/** The volumes of the daemon; absent where they cannot be looked at. */
async function volumes(engine: Engine): Promise<Exchange | undefined> {
  if (withoutVolumes(engine.target) !== undefined) return undefined;
  return given(engine.request('GET', '/volumes', { prefix: newer(engine) }), 200);
}

function namesIn(list: Exchange | undefined): readonly unknown[] {
  return list ? valuesAt(list.json, 'Volumes[].Name') : [];
}

interface WithVolume {
  readonly container: Container;
  /** The name that the daemon gave its volume; absent where volumes cannot be looked at. */
  readonly volume: string | undefined;
}

/** A container with a volume that the daemon names. */
async function makeWithVolume(
  engine: Engine,
  before: Exchange | undefined,
  options: ContainerOptions = {},
): Promise<WithVolume> {
  const container = await makeContainer(engine, { ...options, config: { Volumes: { '/ec-volume': {} } } });
  if (!before) return { container, volume: undefined };
  const inspect = await given(engine.request('GET', container.path('json'), { prefix: newer(engine) }), 200);
  const volume = String(valuesAt(inspect.json, 'Mounts[].Name')[0]);
  engine.made({ kind: 'volume', name: volume, isNew: !namesIn(before).includes(volume) });
  return { container, volume };
}

/** Which of the volumes were there before something, and which are afterwards. */
interface Left {
  readonly names: readonly (string | undefined)[];
  readonly before: Exchange | undefined;
  readonly after: Exchange | undefined;
}

/** Whether the daemon had all of these volumes, and now has all or none. */
function has({ names, before, after }: Left, are: 'there' | 'gone', places: readonly number[]): boolean {
  return places.every((place) => {
    const name = names[place];
    const isThere = namesIn(after).includes(name);
    return name !== undefined && namesIn(before).includes(name) && isThere === (are === 'there');
  });
}

/** What is left where it is as it should be. */
function leftIn(shared: Left | undefined, are: 'there' | 'gone', places: readonly number[]): Left | undefined {
  return ifRight(
    shared,
    (left) => has(left, are, places),
    afterOthers,
    ({ after }) => after ?? [],
  );
}

function expectLeft({ names, after }: Left, are: 'there' | 'gone', places: readonly number[]): void {
  const left = names.filter((name, place) => places.includes(place) && namesIn(after).includes(name));
  const wanted = are === 'there' ? places.map((place) => names[place]) : [];
  expectValue('the volumes that are left', left, after ? [after] : []).toBe(wanted);
}

/**
 * Containers that were removed with `force` and `v`, in each spelling of true, and all that was refused before. The first
 * ran; the second was paused, where the daemon can; and the third had ended.
 */
const forced = fixture('containers that were removed by force', removedByForce);

type Forced = Awaited<ReturnType<typeof removedByForce>>;

async function removedByForce({ engine, target }: FixtureContext) {
  const had = await volumes(engine);
  const made = await Promise.all(yes.map(() => makeWithVolume(engine, had, { state: 'running' })));
  const before = await volumes(engine);
  const [first, second, third] = made;
  const refused: Exchange[] = [];
  for (const force of [undefined, ...no]) if (first) refused.push(await first.container.remove({ force }));
  const kept = first && (await first.container.inspect());
  const pause = second && target.lacks.freezer === undefined ? await second.container.pause() : undefined;
  const end = await third?.container.kill();
  const removed: Exchange[] = [];
  for (const [place, { container }] of made.entries()) {
    removed.push(await container.remove({ force: yes[place], v: yes[place] }));
  }
  const looks = await Promise.all(made.map(({ container }) => container.inspect()));
  const names = made.map(({ volume }) => volume);
  return { refused, kept, pause, end, removed, looks, left: { names, before, after: await volumes(engine) } };
}

/**
 * Containers that lost their link, in each spelling of true, and were then removed without their volume, in each
 * spelling of false; the last was removed without any flag. Where the daemon takes no links they have none.
 */
const unforced = fixture('containers that were removed without their volumes', removedWithoutVolumes);

type Unforced = Awaited<ReturnType<typeof removedWithoutVolumes>>;

async function removedWithoutVolumes({ engine, use }: FixtureContext) {
  const other = await use(idle);
  const links = { hostConfig: { Links: [`${other.name}:ec-alias`] } };
  const had = await volumes(engine);
  const linked = await ifThere(makeWithVolume(engine, had, links));
  const options = linked ? links : {};
  const last = linked ?? (await makeWithVolume(engine, had, options));
  const made = await Promise.all(no.map(() => makeWithVolume(engine, had, options)));
  const before = await volumes(engine);
  const unlinked: { removed: Exchange; look: Exchange }[] = [];
  for (const [place, { container }] of linked ? made.entries() : []) {
    const removed = await removeLink(engine, container, 'ec-alias', yes[place] ?? '');
    unlinked.push({ removed, look: await container.inspect() });
  }
  const target = await engine.get(`/containers/${other.name}/json`);
  const removed: Exchange[] = [];
  for (const [place, { container }] of made.entries()) {
    removed.push(await container.remove({ link: linked ? no[place] : undefined, v: no[place] }));
  }
  const { id, name } = last.container;
  const plain = await last.container.remove();
  const looks = [await engine.get(`/containers/${id}/json`), await engine.get(`/containers/${name}/json`)];
  const names = [...made, last].map(({ volume }) => volume);
  const left = { names, before, after: await volumes(engine) };
  return { hasLinks: linked !== undefined, unlinked, target, removed, plain, looks, left };
}

function isRefused({ request, status }: Exchange): boolean {
  return refusalsOf(request)?.includes(status) === true;
}

/** A removal after which the container no longer exists. */
async function expectGone(container: Container, remove: () => Promise<Exchange>): Promise<void> {
  await control(container.inspect(), 200);
  expect(await remove()).toHaveStatus(204);
  expect(await container.inspect()).toHaveStatus(404);
}

check('containers.remove.container-gone', { faults: [swallows(204)] }, async ({ engine, use }) => {
  const isGone = ({ plain, looks }: Unforced) => plain.status === 204 && looks.every(({ status }) => status === 404);
  const shared = ifRight(await ifThere(use(unforced)), isGone, anotherTime, ({ plain }) => plain);
  if (shared) {
    for (const look of shared.looks) expect(look).toHaveStatus(404);
    return;
  }
  const container = await makeContainer(engine);
  await control(container.inspect(), 200);
  await given(container.remove(), 204);
  for (const form of [container.id, container.name]) {
    expect(await engine.get(`/containers/${form}/json`)).toHaveStatus(404);
  }
});

/**
 * A removal by force that succeeded, with a look for its container; undefined where it did not, or where the container was
 * not in the state that is wanted.
 */
function removalIn(shared: Forced | undefined, place: number, isInState: (shared: Forced) => boolean) {
  const [removed, look] = [shared?.removed[place], shared?.looks[place]];
  if (!shared || !removed || !look || !isInState(shared)) return undefined;
  const isGone = (one: { removed: Exchange; look: Exchange }) => one.removed.status === 204 && one.look.status === 404;
  return ifRight({ removed, look }, isGone, afterOthers, (one) => one.removed);
}

check('containers.remove.force-kills', { faults: [ignoresQuery('force')] }, async ({ engine, use }) => {
  const shared = removalIn(await ifThere(use(forced)), 0, ({ kept }) => kept?.status === 200);
  if (shared) {
    expect(shared.removed).toHaveStatus(204);
    expect(shared.look).toHaveStatus(404);
    return;
  }
  const container = await makeContainer(engine, { state: 'running' });
  await expectGone(container, () => container.remove({ force: true }));
});

for (const [rule, place, state, operation] of [
  ['containers.remove.force-paused', 1, 'paused', 'pause'],
  ['containers.remove.force-ended', 2, 'exited', 'end'],
] as const) {
  check(rule, { faults: [answersStatus(409, 204), swallows(204)] }, async ({ engine, use }) => {
    const shared = removalIn(await ifThere(use(forced)), place, (all) => all[operation]?.status === 204);
    if (shared) {
      expect(shared.removed).toHaveStatus(204);
      expect(shared.look).toHaveStatus(404);
      return;
    }
    const container = await makeContainer(engine, { state });
    await expectGone(container, () => container.remove({ force: true }));
  });
}

/** A removal that is refused leaves the container as it was (interpretation `remove-running`). */
async function expectRefused(container: Container, query: Readonly<Record<string, string>>): Promise<void> {
  expect(await container.remove(query)).toBeRefused();
  expect(await container.inspect()).toHaveStatus(200);
}

/** A removal without a flag that left a running container; undefined where it was not refused as is expected. */
async function refusedIn(use: CheckContext['use'], isExpected: (plain: Exchange) => boolean) {
  const shared = await ifThere(use(forced));
  const { refused: [plain] = [], kept } = shared ?? {};
  if (!plain || !kept || shared?.removed[0]?.status !== 204) return undefined;
  const isKept = (one: { plain: Exchange; kept: Exchange }) => isExpected(one.plain) && one.kept.status === 200;
  return ifRight({ plain, kept }, isKept, anotherTime, () => plain);
}

check('containers.remove.force-default-false', { faults: [takesQueryAs('force', '1')] }, async ({ engine, use }) => {
  const shared = await refusedIn(use, isRefused);
  if (shared) {
    expect(shared.plain).toBeRefused();
    expect(shared.kept).toHaveStatus(200);
    return;
  }
  await control((await makeContainer(engine)).remove(), 204);
  await expectRefused(await makeContainer(engine, { state: 'running' }), {});
});

check(
  'containers.remove.force-spellings',
  { faults: [knowsOnly('force', '1'), takesQueryAs('force', '1')] },
  async ({ engine, use }) => {
    const areRight = ({ refused, kept, removed }: Forced) =>
      refused.every(isRefused) && kept?.status === 200 && removed.every(({ status }) => status === 204);
    const shared = ifRight(await ifThere(use(forced)), areRight, afterOthers, ({ refused, removed }) => [
      ...refused,
      ...removed,
    ]);
    if (shared) {
      for (const answer of shared.refused) expect(answer).toBeRefused();
      for (const answer of shared.removed) expect(answer).toHaveStatus(204);
      return;
    }
    const refused = await makeContainer(engine, { state: 'running' });
    for (const force of no) await expectRefused(refused, { force });
    const others = yes.slice(1).map(() => makeContainer(engine, { state: 'running' }));
    for (const [place, container] of [refused, ...(await Promise.all(others))].entries()) {
      expect(await container.remove({ force: yes[place] })).toHaveStatus(204);
    }
  },
);

check('containers.remove.running-answers-409', { faults: [answersStatus(500, 409)] }, async ({ engine, use }) => {
  const shared = await refusedIn(use, ({ status }) => status === 409);
  if (shared) {
    expect(shared.plain).toHaveStatus(409);
    return;
  }
  await control((await makeContainer(engine)).remove(), 204);
  const container = await makeContainer(engine, { state: 'running' });
  await control(container.inspect(), 200);
  expect(await container.remove()).toHaveStatus(409);
});

check('containers.remove.running-status', { faults: [] }, async ({ engine, use }) => {
  const shared = (await ifThere(use(forced)))?.refused[0];
  const plain = shared ?? (await (await makeContainer(engine, { state: 'running' })).remove());
  observe(`answers ${plain.status}`, plain);
});

/** A removal of a paused container, and of the same once it runs again, with an odd flag. */
const ofPaused = fixture('two removals of a container that was paused', async ({ engine }) => {
  const container = await makeContainer(engine, { state: 'paused' });
  const plain = await container.remove();
  const resumed = await container.unpause();
  const odd = resumed.status === 204 ? await removedOddly(container) : undefined;
  return { plain, odd };
});

async function removedOddly(container: Container): Promise<{ answer: Exchange; after: Exchange }> {
  return { answer: await container.remove({ force: 'maybe' }), after: await container.inspect() };
}

check('containers.remove.flag-other', { faults: [] }, async ({ engine, use }) => {
  const shared = (await ifThere(use(ofPaused)))?.odd;
  const { answer, after } = shared ?? (await removedOddly(await makeContainer(engine, { state: 'running' })));
  observe(`answers ${answer.status}, and the container is ${after.status === 200 ? 'there' : 'gone'}`, answer, after);
});

check('containers.remove.paused', { faults: [] }, async ({ use }) => {
  const { plain } = await use(ofPaused);
  observe(`answers ${plain.status}`, plain);
});

check('containers.remove.paused-answers-409', { faults: [answersStatus(500, 409)] }, async ({ engine, use }) => {
  await control((await makeContainer(engine)).remove(), 204);
  const { plain } = await use(ofPaused);
  expect(plain).toHaveStatus(409);
});

function volumeOf(engine: Engine, volume: string): Promise<Exchange> {
  return engine.request('GET', `/volumes/${volume}`, { prefix: newer(engine) });
}

async function removeWith(engine: Engine, v: string | undefined): Promise<Exchange> {
  const { container, volume = '' } = await makeWithVolume(engine, await volumes(engine));
  await control(volumeOf(engine, volume), 200);
  await given(container.remove({ v }), 204);
  const look = () => volumeOf(engine, volume);
  const goes = yes.some((spelling) => spelling === v);
  // Nothing says how soon the volumes are gone.
  return goes ? lookUntil(look, ({ status }) => status === 404, releasedMs) : look();
}

/** The places of the containers that were removed with a spelling. */
const spelled = [0, 1, 2];
const plainly = [3];

check(
  'containers.remove.v-removes-volumes',
  { faults: [ignoresQuery('v')], notOn: withoutVolumes },
  async ({ engine, use }) => {
    const shared = leftIn((await ifThere(use(forced)))?.left, 'gone', [0]);
    if (shared) expectLeft(shared, 'gone', [0]);
    else expect(await removeWith(engine, '1')).toHaveStatus(404);
  },
);

check(
  'containers.remove.v-default-false',
  { faults: [takesQueryAs('v', '1')], notOn: withoutVolumes },
  async ({ engine, use }) => {
    const all = await ifThere(use(unforced));
    const shared = all?.plain.status === 204 ? leftIn(all.left, 'there', plainly) : undefined;
    if (shared) expectLeft(shared, 'there', plainly);
    else expect(await removeWith(engine, undefined)).toHaveStatus(200);
  },
);

check(
  'containers.remove.v-spellings',
  { faults: [knowsOnly('v', '1'), takesQueryAs('v', '1')], notOn: withoutVolumes },
  async ({ engine, use }) => {
    const removed = await ifThere(use(unforced));
    const isRemoved = removed?.removed.every(({ status }) => status === 204) === true;
    const withV = leftIn((await ifThere(use(forced)))?.left, 'gone', spelled);
    const without = isRemoved ? leftIn(removed.left, 'there', spelled) : undefined;
    if (withV && without) {
      expectLeft(withV, 'gone', spelled);
      expectLeft(without, 'there', spelled);
      return;
    }
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

/** What inspect still has of the link. */
function linksIn(inspect: Exchange): unknown[] {
  return valuesAt(inspect.json, 'HostConfig.Links')
    .flat()
    .filter((one) => /ec-alias$/.test(String(one)));
}

async function expectLinkGone(context: CheckContext, link: string): Promise<void> {
  const { engine } = context;
  const { other, linked } = await makeLinked(context);
  expect(await removeLink(engine, linked, 'ec-alias', link)).toHaveStatus(204);
  expect(await other.inspect()).toHaveStatus(200);
  expectNoLink(await linked.inspect());
}

function expectNoLink(inspect: Exchange): void {
  expect(inspect).toHaveStatus(200);
  expectValue('what HostConfig.Links of inspect has of the link', linksIn(inspect), [inspect]).toBe([]);
}

/** The links that were removed, of which nothing is left; undefined where one is not as it should be. */
async function unlinkedIn({ use }: CheckContext): Promise<readonly Exchange[] | undefined> {
  const shared = await ifThere(use(unforced));
  if (!shared?.hasLinks) return undefined;
  const areGone = ({ unlinked, target }: Unforced) =>
    target.status === 200 &&
    unlinked.every(({ removed, look }) => removed.status === 204 && look.status === 200 && linksIn(look).length === 0);
  const answers = ({ unlinked, target }: Unforced) => [...unlinked.map(({ removed }) => removed), target];
  return ifRight(shared, areGone, anotherTime, answers)?.unlinked.map(({ look }) => look);
}

check('containers.remove.link-removes-link', { faults: [ignoresQuery('link'), swallows(204)] }, async (context) => {
  const [shared] = (await unlinkedIn(context)) ?? [];
  if (shared) expectNoLink(shared);
  else await expectLinkGone(context, '1');
});

check('containers.remove.link-default-false', { faults: [takesQueryAs('link', '1')] }, async (context) => {
  const removed = await ifThere(context.use(unforced));
  const isGone = ({ plain, looks }: Unforced) => plain.status === 204 && looks[0]?.status === 404;
  const linked = removed?.hasLinks ? removed : undefined;
  const shared = ifRight(linked, isGone, anotherTime, ({ plain }) => plain);
  const [look] = shared?.looks ?? [];
  if (shared && look) {
    expect(shared.plain).toHaveStatus(204);
    expect(look).toHaveStatus(404);
    return;
  }
  const { linked: alone } = await makeLinked(context);
  await expectGone(alone, () => alone.remove());
});

check(
  'containers.remove.link-spellings',
  { faults: [knowsOnly('link', '1'), takesQueryAs('link', '1')] },
  async (context) => {
    const unlinked = await unlinkedIn(context);
    const areRemoved = (answers: readonly Exchange[]) => answers.every(({ status }) => status === 204);
    const removed = ifRight((await ifThere(context.use(unforced)))?.removed, areRemoved, anotherTime, itself);
    if (unlinked && removed) {
      for (const look of unlinked) expectNoLink(look);
      for (const answer of removed) expect(answer).toHaveStatus(204);
      return;
    }
    for (const link of yes) await expectLinkGone(context, link);
    for (const link of no) {
      const { linked } = await makeLinked(context);
      expect(await linked.remove({ link })).toHaveStatus(204);
    }
  },
);
