import { check } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Answered } from '../../harness/engine/exchange.ts';
import { given } from '../../harness/engine/given.ts';
import { expectValue } from '../../harness/expect/expect.ts';
import { losesEvents } from '../../harness/faults/events.ts';
import { ifThere } from '../containers/together.ts';
import { containerWith, makeVolume, volumePath } from '../volumes/volume.ts';
import { caused } from './caused.ts';
import { isAbout, kindOf } from './event.ts';
import { type Listener, listen } from './listener.ts';
import { containerKinds, operations } from './operations.ts';

/** The kind is among those of the events about a thing. */
async function expectKind(listener: Listener, object: string, kind: string, ...refs: readonly string[]): Promise<void> {
  await listener.hearsInTime((event) => kindOf(event) === kind && isAbout(event, ...refs));
  const kinds = [...new Set(listener.about(...refs).map(kindOf))];
  expectValue(`the kinds of events of the ${object}`, kinds, [listener.live]).toContain(kind);
}

for (const kind of containerKinds) {
  check(
    `events.kind.container.${kind}`,
    { faults: [losesEvents('container', kind)], looksAt: ['freezer'] },
    async ({ engine, use }) => {
      // Many operations at once show that the kind is told; that it is not is judged on a container of the check's own.
      const told = await ifThere(use(caused));
      const id = told?.byOperation.get(kind) ?? '';
      if (told?.listener.about(id).some((event) => kindOf(event) === kind)) {
        return expectKind(told.listener, 'container', kind, id);
      }
      const { options, statuses, times = 1, operate } = operations[kind];
      const listener = await listen(engine);
      for (let time = 0; time < times; time++) {
        const container = await makeContainer(engine, options);
        await given<Answered>(operate(container, engine), ...statuses);
        await expectKind(listener, 'container', kind, container.id);
      }
    },
  );
}

for (const kind of ['create', 'mount', 'unmount', 'destroy'] as const) {
  check(`events.kind.volume.${kind}`, { faults: [losesEvents('volume', kind)] }, async ({ engine }) => {
    const listener = await listen(engine);
    const name = await makeVolume(engine);
    if (kind === 'mount' || kind === 'unmount') await containerWith(engine, name, ['exit', '0']);
    if (kind === 'destroy') await given(engine.delete(volumePath(name)), 204);
    await expectKind(listener, 'volume', kind, name);
  });
}
