import fc from 'fast-check';
import { check } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { given } from '../../harness/engine/given.ts';
import { filters } from '../../harness/engine/query.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { on, since } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { ignoresBodyField, ignoresFilter } from '../../harness/faults/requests.ts';
import { directories, distinct } from '../../harness/generators/texts.ts';
import { forAll } from '../../harness/property/for-all.ts';
import type { Trial } from '../../harness/property/trial.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { valuesAt } from '../../harness/streams/json-path.ts';
import { type ApiVersion, atLeast } from '../../specs/versions.ts';
import { createVolume, volumePath } from '../volumes/support/volumes.ts';
import { createJudged } from './support/judged-create.ts';
import { expectKept } from './support/kept-fields.ts';
import {
  bindOf,
  expectMount,
  type Letter,
  letters,
  mountAt,
  type Names,
  placesIn,
  type VolumePlace,
} from './support/volume-places.ts';

const rules = 'containers.create.body.HostConfig.';

/** A form of VolumesFrom, `<container name>[:<ro or rw>]`, and its rule. */
const forms = [
  { mode: '', rule: 'containers.create.host-config.volumes-from' },
  { mode: ':ro', rule: 'containers.create.host-config.volumes-from-ro' },
  { mode: ':rw', rule: 'containers.create.host-config.volumes-from-rw' },
] as const;

/** A container whose volumes another one shares. */
interface Owner {
  readonly named: readonly VolumePlace[];
  /** Paths of volumes that the daemon makes and names. */
  readonly unnamed: readonly string[];
  readonly form: (typeof forms)[number];
}

// Since 1.21 Binds accept volume names.
const placesOf = (api: ApiVersion, who: string) =>
  atLeast(api, '1.21') ? placesIn(`of-${who}`) : fc.constant<VolumePlace[]>([]);

function ownerIn(api: ApiVersion, who: string): fc.Arbitrary<Owner> {
  return fc.record({
    named: placesOf(api, who),
    unnamed: fc.oneof(fc.constant<string[]>([]), distinct(directories(`unnamed-of-${who}`))),
    form: fc.constantFrom(...forms),
  });
}

const values = (api: ApiVersion) =>
  fc.noBias(
    fc.record({
      made: atLeast(api, '1.21') ? fc.subarray([...letters]) : fc.constant<Letter[]>([]),
      a: ownerIn(api, 'a'),
      b: fc.option(ownerIn(api, 'b')),
      own: placesOf(api, 'c'),
    }),
  );

const creates = 'POST /containers/create';
const inspects = 'GET /containers/{id}/json';

check(
  'generated.inputs.shared-volumes',
  {
    faults: [
      since('1.21', on(creates, ignoresBodyField('HostConfig.Binds'))),
      on(creates, ignoresBodyField('HostConfig.VolumesFrom')),
      on(inspects, setsField('Mounts[].Destination', '/another')),
      on(inspects, setsField('Mounts[].RW', true)),
      since('1.21', on('GET /volumes', setsField('Volumes', []))),
      since('1.21', on('GET /volumes', ignoresFilter('dangling'))),
    ],
  },
  (context) =>
    forAll(context, values(context.api), { runs: 2 }, async ({ made, a, b, own }, trial) => {
      const { engine } = trial;
      const names = { u: engine.name('volume'), v: engine.name('volume') };
      for (const letter of letters) engine.made({ kind: 'volume', name: names[letter] });
      for (const letter of made) {
        trial.step(`creates the volume ${letter}`);
        await given(createVolume(engine, names[letter]), 201);
      }
      const unlessKnown = (places: readonly VolumePlace[]) => (trial.holds(`${rules}Binds`) ? places : []);
      const owners: Made[] = [];
      for (const [who, owner] of [['a', a] as const, ...(b ? [['b', b] as const] : [])]) {
        const asked = { ...owner, named: unlessKnown(owner.named) };
        const created = await createAt(trial, { who, names, from: [], ...asked });
        if (!created) return;
        owners.push({ who, ...asked, ...created });
      }
      if (!trial.holds(`${rules}VolumesFrom`)) return;
      const ofC = unlessKnown(own);
      const c = await createAt(trial, { who: 'c', names, from: owners, named: ofC, unnamed: [] });
      if (!c) return;
      for (const owner of owners) await judgeShared(trial, owner, c.inspect);
      if (!atLeast(engine.api, '1.21')) return;
      const told = [...owners, c].flatMap(({ inspect }) => valuesAt(inspect.json, 'Mounts[].Name')).filter(Boolean);
      const shared = owners.flatMap(({ named }) => named.map(({ volume }) => names[volume]));
      const used = [...shared, ...ofC.map(({ volume }) => names[volume])];
      // What counts as in use is not stated; a volume of a running process certainly is.
      const isUsed = used.length > 0 && (await isStarted(trial, c));
      await judgeVolumes(trial, [...made.map((letter) => names[letter]), ...told], isUsed ? used : []);
      // The fate of volumes that the daemon named belongs to other rules.
      const isJudged = isUsed && owners.every(({ unnamed }) => unnamed.length === 0);
      if (isJudged) await judgeRemoval(trial, owners, new Set(shared));
    }),
);

interface Made extends Owner {
  readonly who: string;
  readonly container: Container;
  readonly inspect: Exchange;
}

interface WantedContainer extends Omit<Owner, 'form'> {
  readonly who: string;
  readonly names: Names;
  readonly from: readonly Made[];
}

/** Creates a container with volumes, and judges that it has those that it asks for itself. */
async function createAt(trial: Trial, { who, names, named, unnamed, from }: WantedContainer) {
  const words = [
    ...from.map((owner) => `the volumes of ${owner.who}${owner.form.mode}`),
    ...named.map((place) => bindOf(place, { u: 'u', v: 'v' })),
    ...unnamed,
  ];
  trial.step(`creates the container ${who} with ${words.join(', ') || 'no volume'}`);
  const hostConfig = {
    ...(named.length > 0 && { Binds: named.map((place) => bindOf(place, names)) }),
    ...(from.length > 0 && { VolumesFrom: from.map(({ container, form }) => `${container.name}${form.mode}`) }),
  };
  const Volumes = Object.fromEntries(unnamed.map((path) => [path, {}]));
  const container = await createJudged(trial, { config: { Volumes }, hostConfig });
  if (!container) return undefined;
  const hasMounts = [{ named, unnamed }, ...from].some((one) => one.named.length > 0 || one.unnamed.length > 0);
  const inspect = await inspectMounted(trial, { who, container, hasMounts });
  await expectKept(trial, inspect, hostConfig, { rules, where: 'HostConfig.' });
  for (const path of unnamed) {
    await trial.decides('containers.create.config.volumes', () => expectMount(inspect, path, {}));
  }
  for (const { volume, path, readOnly } of named) {
    const Name = atLeast(trial.engine.api, '1.23') && { Name: names[volume] };
    await trial.decides(`containers.create.host-config.bind-volume${readOnly ? '-ro' : ''}`, () =>
      expectMount(inspect, path, { ...Name, RW: !readOnly }),
    );
  }
  return { container, inspect };
}

/** Returns the answer of inspect. On a daemon that does not show mounts earlier, the container is started first. */
async function inspectMounted(
  trial: Trial,
  { who, container, hasMounts }: Pick<Made, 'who' | 'container'> & { readonly hasMounts: boolean },
): Promise<Exchange> {
  const inspect = await given(container.inspect(), 200);
  if (!hasMounts || valuesAt(inspect.json, 'Mounts[].Destination').length > 0) return inspect;
  trial.step(`starts ${who}, of which no mounts are told`);
  await given(container.start(), 204);
  return given(container.inspect(), 200);
}

/** Judges that a container has another one's volumes, at the same paths. */
async function judgeShared(trial: Trial, { named, unnamed, form, inspect }: Made, other: Exchange): Promise<void> {
  const asksReadOnly = form.mode === ':ro';
  for (const { path, readOnly } of [...named, ...unnamed.map((path) => ({ path, readOnly: false }))]) {
    const there = mountAt(inspect, path);
    if (!there) continue;
    const Name = there.Name === undefined ? {} : { Name: there.Name };
    // The result for a place that is already read-only is not documented, unless read-only is also asked for.
    const RW = readOnly && !asksReadOnly ? {} : { RW: !asksReadOnly };
    await trial.decides(form.rule, () => expectMount(other, path, { ...Name, ...RW }, [inspect]));
  }
}

/** Starts the container that has the volumes of the others; whether that succeeds is not judged. */
async function isStarted(trial: Trial, { container }: Pick<Made, 'container'>): Promise<boolean> {
  trial.step('starts c');
  const { status } = await container.start();
  return status === 204 || status === 304;
}

/** Removes the containers, and judges that no volume can be removed which a running one still has by VolumesFrom. */
async function judgeRemoval(trial: Trial, owners: readonly Made[], volumes: ReadonlySet<string>): Promise<void> {
  const rule = 'volumes.remove.in-use-shared-answers-409';
  if (volumes.size === 0 || !trial.holds(rule)) return;
  trial.step(`removes ${owners.map(({ who }) => who).join(' and ')}, and then the volumes, which c has`);
  for (const { container } of owners) await given(container.remove({ force: '1' }), 204);
  for (const name of volumes) {
    const refused = await trial.engine.delete(volumePath(name));
    await trial.decides(rule, () => expect(refused).toHaveStatus(409));
  }
}

/** Judges that the volumes are listed, and that no volume in use is listed as dangling. */
async function judgeVolumes(trial: Trial, there: readonly JsonValue[], used: readonly string[]): Promise<void> {
  const { engine } = trial;
  const all = await given(engine.get('/volumes'), 200);
  const dangling = await given(engine.get('/volumes', { filters: filters({ dangling: ['true'] }) }), 200);
  await trial.decides('volumes.list.every-volume', () => {
    const listed = valuesAt(all.json, 'Volumes[].Name');
    for (const name of there) expectValue('the volumes in the list', listed, [all]).toContain(name);
  });
  await trial.decides('volumes.list.filters-dangling', () => {
    const listed = valuesAt(dangling.json, 'Volumes[].Name');
    for (const name of used) expectValue('the volumes that are dangling', listed, [dangling]).toLack(name);
  });
}
