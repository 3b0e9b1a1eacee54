import { type FixtureContext, fixture } from '../../../harness/check.ts';
import { type ContainerOptions, makeContainer } from '../../../harness/engine/containers.ts';
import { settled } from '../../../harness/engine/given.ts';
import { rulebook } from '../../../specs/catalogue.ts';
import { holdsIn } from '../../../specs/versions.ts';
import { ifRight, ifThere } from '../../support/shared-results.ts';
import { isAbout, kindOf } from './event.ts';
import { listen } from './listen.ts';
import { type ContainerKind, operations } from './operations.ts';

interface Sequence {
  /** The container that the operations run on, one after another. */
  readonly options: ContainerOptions;
  readonly kinds: readonly ContainerKind[];
}

/**
 * No operation causes a kind by which another one of its sequence is judged: engines may send stop and kill during a
 * restart, and pause during the commit of a running container. Only the last operation may cause events after its own.
 */
const sequences: readonly Sequence[] = [
  {
    options: { config: { Tty: true }, network: 'any' },
    kinds: ['create', 'start', 'attach', 'resize', 'top', 'pause', 'unpause', 'die'],
  },
  { options: {}, kinds: ['copy', 'commit', 'export', 'rename', 'update', 'destroy'] },
  { options: { state: 'running' }, kinds: ['exec_create', 'exec_start'] },
  { options: { state: 'running' }, kinds: ['restart'] },
  { options: { state: 'running' }, kinds: ['stop'] },
];

/** An event that comes later counts as one of the next operation's. */
const soonMs = 1_000;

/** An operation on a container, and the container's events from its beginning until the next one began. */
interface Caused {
  readonly id: string;
  readonly since: number;
  readonly before: number | undefined;
}

/** The events that each operation caused on its container. */
export const caused = fixture('the events of each operation on a container', async ({ engine, api, target }) => {
  const listener = await listen(engine);
  const isPossible = (kind: ContainerKind) => {
    const isPausing = kind === 'pause' || kind === 'unpause';
    return (
      !(isPausing && target.lacks.freezer !== undefined) && holdsIn(rulebook[`events.kind.container.${kind}`], api)
    );
  };
  const byOperation = new Map<ContainerKind, Caused>();
  const operate = async ({ options, kinds }: Sequence) => {
    const possible = kinds.filter(isPossible);
    const container = await makeContainer(engine, options);
    const { id } = container;
    let since = 0;
    for (const [place, kind] of possible.entries()) {
      // It may be refused or fail, which is a fact like any other.
      await ifThere(settled(operations[kind].operate(container, engine), kind));
      await listener.hears((event) => kindOf(event) === kind && isAbout(event, id), soonMs);
      const before = place + 1 < possible.length ? listener.about(id).length : undefined;
      byOperation.set(kind, { id, since, before });
      since = before ?? 0;
    }
    const missing = new Set<string>(possible);
    await listener.hearsInTime((event) => {
      if (isAbout(event, id)) missing.delete(kindOf(event));
      return missing.size === 0;
    });
  };
  await Promise.all(sequences.map(operate));
  listener.live.drop();
  // The operation that kills the process also makes it die.
  const killed = byOperation.get('die');
  if (killed) byOperation.set('kill', killed);
  return { byOperation, listener };
});

/** The listener and the container of an event of this kind during many concurrent operations, if it came there. */
export async function toldTogether(kind: ContainerKind, use: FixtureContext['use']) {
  const together = await ifThere(use(caused));
  const id = together?.byOperation.get(kind)?.id;
  if (!together || id === undefined) return undefined;
  const { listener } = together;
  const isTold = () => listener.about(id).some((event) => kindOf(event) === kind);
  return ifRight({ listener, id }, isTold, 'during other operations', () => listener.live);
}
