import { fixture } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { rulebook } from '../../specs/catalogue.ts';
import { holdsIn } from '../../specs/versions.ts';
import { isAbout, kindOf } from './event.ts';
import { listen } from './listener.ts';
import { type ContainerKind, containerKinds, operations } from './operations.ts';

/** The events of a container for each operation. */
export const caused = fixture('the events of each operation on a container', async ({ engine, api, target }) => {
  const listener = await listen(engine);
  const possible = containerKinds.filter((kind) => {
    const isPausing = kind === 'pause' || kind === 'unpause';
    return (
      !(isPausing && target.lacks.freezer !== undefined) && holdsIn(rulebook[`events.kind.container.${kind}`], api)
    );
  });
  const byOperation = new Map<ContainerKind, string>();
  const operate = async (kind: ContainerKind) => {
    const container = await makeContainer(engine, operations[kind].options);
    byOperation.set(kind, container.id);
    // It may be refused, which is a fact like any other.
    await operations[kind].operate(container, engine);
    await listener.hearsInTime((event) => kindOf(event) === kind && isAbout(event, container.id));
  };
  await Promise.all(possible.map(operate));
  return { byOperation, listener };
});
