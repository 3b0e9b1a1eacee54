import { check } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { control, given } from '../../harness/engine/given.ts';
import { inspectNetwork } from '../../harness/engine/networks.ts';
import { expect } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { knowsOnlyIdentifiers, knowsOnlyNames } from '../../harness/faults/requests.ts';
import { Blocked } from '../../harness/verdict/outcomes.ts';
import { itemsOf, listNetworks } from './support/list-answers.ts';
import { three } from './support/sample-networks.ts';

/** One of the daemon's own networks, so that nothing has to be made. */
async function anyNetwork(engine: Engine): Promise<{ id: string; name: string }> {
  const answer = await given(listNetworks(engine), 200);
  for (const { Id, Name } of itemsOf(answer)) {
    const isPredefined = Name === 'bridge' || Name === 'host' || Name === 'none';
    if (isPredefined && typeof Id === 'string') return { id: Id, name: Name };
  }
  throw new Blocked('the list has no pre-defined network');
}

check('networks.inspect.answers-200', { faults: [answersStatus(204, 200)] }, async ({ engine }) => {
  expect(await inspectNetwork(engine, (await anyNetwork(engine)).name)).toHaveStatus(200);
});

check('networks.inspect.unknown-answers-404', { faults: [answersStatus(500, 404)] }, async ({ engine }) => {
  await control(inspectNetwork(engine, (await anyNetwork(engine)).name), 200);
  expect(await inspectNetwork(engine, engine.name('network'))).toHaveStatus(404);
});

check(
  'networks.inspect.id-or-name',
  { faults: [knowsOnlyIdentifiers(), knowsOnlyNames()] },
  async ({ engine, use }) => {
    const { id, name } = (await use(three)).front;
    for (const ref of [id, name]) {
      const answer = await inspectNetwork(engine, ref);
      expect(answer).toHaveStatus(200);
      expect(answer).field('Id').toBe(id);
    }
  },
);
