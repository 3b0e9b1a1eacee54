import fc from 'fast-check';
import { create, createBody } from '../../../harness/engine/containers.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { given } from '../../../harness/engine/given.ts';
import { on } from '../../../harness/faults/fault.ts';
import { swallows } from '../../../harness/faults/requests.ts';
import { isObject, valuesAt } from '../../../harness/streams/json-path.ts';
import type { StatedRuleId } from '../../../specs/stated.ts';
import { createVolume, volumePath } from '../../volumes/support/volumes.ts';
import { checkMeeting, clients, inTurn, type Look, type Stage } from './support/meeting.ts';
import type { Done } from './support/orders.ts';
import type { Scene } from './support/scene.ts';

/** What two clients do to one volume; each has a container of its own. */
type VolumeOperation =
  | { readonly does: 'create' | 'remove' }
  | { readonly does: 'use' | 'let-go'; readonly container: string };

interface VolumeOutcome {
  readonly there: boolean;
  /** Whether the list agrees. */
  readonly listed: boolean;
  /** The containers created with it. */
  readonly users: readonly string[];
}

const shared = [{ does: 'create' }, { does: 'remove' }, { does: 'remove' }] as const;
const own = (container: string): VolumeOperation[] => [
  { does: 'use', container },
  { does: 'use', container },
  { does: 'let-go', container },
];

/** Mostly one works on the volume and the other on a container with it. */
const meetings = fc
  .oneof(
    { weight: 3, arbitrary: clients<VolumeOperation>(shared, own('b')) },
    clients<VolumeOperation>([...shared, ...own('a')], [...shared, ...own('b')]),
  )
  // A create that is refused because its name is taken may still have made the volume.
  .filter((pair) => pair.every((operations) => operations.filter(({ does }) => does === 'use').length < 2));

checkMeeting<undefined, boolean, VolumeOperation, VolumeOutcome>('generated.models.parallel-volumes', {
  faults: [on('DELETE /volumes/{name}', swallows(204)), on('DELETE /containers/{id}', swallows(204))],
  runs: 8,
  values: () => inTurn(fc.record({ setup: fc.constantFrom(true, true, true, false), pair: meetings }), 1),
  prepare: async () => undefined,
  begin: ({ setup }, scene) => begin(setup, scene),
  words,
  after: () => after,
  ruleAgainst,
});

async function begin(there: boolean, scene: Scene): Promise<Stage<VolumeOperation, VolumeOutcome>> {
  const volume = scene.name('volume', 'u');
  if (there) {
    scene.trial.step('creates the volume u');
    await given(createVolume(scene.engine, volume), 201);
  }
  return {
    first: { there, listed: there, users: [] },
    send: (operation) => send(operation, volume, scene),
    look: () => look(volume, scene),
  };
}

function words(operation: VolumeOperation): string {
  if ('container' in operation) {
    const { does, container } = operation;
    return does === 'use' ? `creates the container ${container} with u` : `removes ${container}`;
  }
  return `${operation.does}s u`;
}

function send(operation: VolumeOperation, volume: string, scene: Scene): Promise<Exchange> {
  const { engine } = scene;
  switch (operation.does) {
    case 'create':
      return createVolume(engine, volume);
    case 'remove':
      return engine.delete(volumePath(volume));
    case 'use': {
      const body = createBody(engine, { hostConfig: { Binds: [`${volume}:/data`] } });
      return create(engine, body, { name: scene.name('container', operation.container) });
    }
    case 'let-go':
      return engine.delete(`/containers/${scene.name('container', operation.container)}`, { force: true });
  }
}

/** Whether a volume is in use by containers that were never started is not stated, so it may be removed all the same. */
function after(outcome: VolumeOutcome, { operation }: Done<VolumeOperation>): VolumeOutcome {
  const { users } = outcome;
  switch (operation.does) {
    case 'create':
      return { ...outcome, there: true, listed: true };
    case 'remove':
      return { there: false, listed: false, users };
    case 'use':
      return { there: true, listed: true, users: [...users, operation.container].sort() };
    case 'let-go':
      return { ...outcome, users: users.filter((user) => user !== operation.container) };
  }
}

async function look(volume: string, scene: Scene): Promise<Look<VolumeOutcome>> {
  const { engine } = scene;
  const inspect = await engine.get(volumePath(volume));
  const list = await engine.get('/volumes');
  const containers = await engine.get('/containers/json', { all: true });
  const items = Array.isArray(containers.json) ? containers.json.filter(isObject) : [];
  const names = items.flatMap(({ Names }) => (Array.isArray(Names) ? Names : []));
  const users = ['a', 'b'].filter((letter) => names.includes(`/${scene.name('container', letter)}`));
  const listed = valuesAt(list.json, 'Volumes[].Name').includes(volume);
  return { outcome: { there: inspect.status === 200, listed, users }, evidence: [inspect, list, containers] };
}

function ruleAgainst(outcomes: readonly VolumeOutcome[], { there, listed, users }: VolumeOutcome): StatedRuleId {
  if (!outcomes.some((one) => one.users.join() === users.join())) {
    const most = Math.max(...outcomes.map((one) => one.users.length));
    return users.length > most ? 'containers.remove.container-gone' : 'containers.list.all-true';
  }
  if (there && !listed) return 'volumes.list.every-volume';
  return there || listed ? 'volumes.remove.volume-gone' : 'volumes.remove.in-use-answers-409';
}
