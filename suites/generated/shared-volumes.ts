import fc from 'fast-check';
import { check } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { given } from '../../harness/engine/given.ts';
import { filters } from '../../harness/engine/query.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { valuesAt } from '../../harness/expect/json-path.ts';
import { on, since } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { ignoresBodyField, ignoresFilter } from '../../harness/faults/requests.ts';
import { directories, distinct } from '../../harness/generators/texts.ts';
import { forAll } from '../../harness/property/for-all.ts';
import type { Trial } from '../../harness/property/trial.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { type ApiVersion, atLeast } from '../../specs/versions.ts';
import { createVolume, volumePath } from '../volumes/volume.ts';
import { createJudged } from './created.ts';
import { expectKept } from './kept.ts';
import { bindOf, expectMount, type Letter, letters, mountAt, type Names, type Place, placesIn } from './places.ts';

const rules = 'containers.create.body.HostConfig.';

/** The form of VolumesFrom, `<container name>[:<ro or rw>]`, and the rule on it. */
const forms = [
  { mode: '', rule: 'containers.create.host-config.volumes-from' },
  { mode: ':ro', rule: 'containers.create.host-config.volumes-from-ro' },
  { mode: ':rw', rule: 'containers.create.host-config.volumes-from-rw' },
] as const;

const values = (api: ApiVersion) => {
  // Binds take names of volumes since 1.21.
  const hasNames = atLeast(api, '1.21');
  return fc.noBias(
    fc.record({
      made: hasNames ? fc.subarray([...letters]) : fc.constant<Letter[]>([]),
      first: fc.record({
        named: hasNames ? placesIn('first') : fc.constant<Place[]>([]),
        unnamed: fc.oneof(fc.constant<string[]>([]), distinct(directories('unnamed'))),
      }),
      second: hasNames ? placesIn('second') : fc.constant<Place[]>([]),
      form: fc.constantFrom(...forms),
    }),
  );
};

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
    forAll(context, values(context.api), { runs: 3 }, async ({ made, first, second, form }, trial) => {
      const { engine } = trial;
      const names = { u: engine.name('volume'), v: engine.name('volume') };
      for (const letter of letters) engine.made({ kind: 'volume', name: names[letter] });
      for (const letter of made) {
        trial.step(`creates the volume ${letter}`);
        await given(createVolume(engine, names[letter]), 201);
      }
      const unlessKnown = (places: readonly Place[]) => (trial.holds(`${rules}Binds`) ? places : []);
      const [ofA, ofB] = [unlessKnown(first.named), unlessKnown(second)];
      const a = await createAt(trial, 'a', { named: ofA, unnamed: first.unnamed, names });
      if (!a || !trial.holds(`${rules}VolumesFrom`)) return;
      const b = await createAt(trial, 'b', { named: ofB, names, from: `${a.container.name}${form.mode}` });
      if (!b) return;
      await judgeShared(trial, [a.inspect, b.inspect], [...ofA, ...first.unnamed.map(writable)], form);
      if (!atLeast(engine.api, '1.21')) return;
      const told = [a, b].flatMap(({ inspect }) => valuesAt(inspect.json, 'Mounts[].Name')).filter(Boolean);
      const used = [...ofA, ...ofB].map(({ volume }) => names[volume]);
      await judgeVolumes(trial, [...made.map((letter) => names[letter]), ...told], used);
      // What becomes of volumes that the daemon named is another matter.
      if (first.unnamed.length === 0)
        await judgeRemoval(trial, a.container, new Set(ofA.map(({ volume }) => names[volume])));
    }),
);

function writable(path: string): Pick<Place, 'path' | 'readOnly'> {
  return { path, readOnly: false };
}

interface Wanted {
  readonly named: readonly Place[];
  readonly names: Names;
  readonly unnamed?: readonly string[];
  readonly from?: string;
}

/** Creates a container with volumes, and judges that it keeps those that it names. */
async function createAt(trial: Trial, who: string, { named, names, unnamed = [], from }: Wanted) {
  const places = [...named.map((place) => bindOf(place, { u: 'u', v: 'v' })), ...unnamed];
  const ofA = from === undefined ? [] : [`the volumes of a${/:r[ow]$/.exec(from)?.[0] ?? ''}`];
  trial.step(`creates the container ${who} with ${[...ofA, ...places].join(', ') || 'no volume'}`);
  const hostConfig = {
    ...(named.length > 0 && { Binds: named.map((place) => bindOf(place, names)) }),
    ...(from !== undefined && { VolumesFrom: [from] }),
  };
  const Volumes = Object.fromEntries(unnamed.map((path) => [path, {}]));
  const container = await createJudged(trial, { config: { Volumes }, hostConfig });
  if (!container) return undefined;
  const inspect = await given(container.inspect(), 200);
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

/** Judges that the second container has the volumes of the first where the first has them. */
async function judgeShared(
  trial: Trial,
  [ofA, ofB]: readonly [Exchange, Exchange],
  places: readonly Pick<Place, 'path' | 'readOnly'>[],
  { mode, rule }: (typeof forms)[number],
): Promise<void> {
  for (const { path, readOnly } of places) {
    const there = mountAt(ofA, path);
    if (!there) continue;
    const Name = there.Name === undefined ? {} : { Name: there.Name };
    // What comes of a place that is read-only in the first is not said, unless the second asks for that too.
    const RW = readOnly && mode !== ':ro' ? {} : { RW: mode !== ':ro' };
    await trial.decides(rule, () => expectMount(ofB, path, { ...Name, ...RW }, [ofA]));
  }
}

/** Removes a container, and judges that volumes of it which another one has by VolumesFrom cannot be removed. */
async function judgeRemoval(trial: Trial, container: Container, volumes: ReadonlySet<string>): Promise<void> {
  const rule = 'volumes.remove.in-use-shared-answers-409';
  if (volumes.size === 0 || !trial.holds(rule)) return;
  trial.step('removes a, and then its volumes, which b has');
  await given(container.remove(), 204);
  for (const name of volumes) {
    const refused = await trial.engine.delete(volumePath(name));
    await trial.decides(rule, () => expect(refused).toHaveStatus(409));
  }
}

/** Judges that the volumes are listed, and that none of those in use are among the dangling ones. */
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
