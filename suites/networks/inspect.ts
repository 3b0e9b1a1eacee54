import { check, fixture } from '../../harness/check.ts';
import { control, given } from '../../harness/engine/given.ts';
import { inspectNetwork } from '../../harness/engine/networks.ts';
import { expect } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { knowsOnlyIdentifiers, knowsOnlyNames } from '../../harness/faults/requests.ts';
import { Blocked } from '../../harness/verdict/outcomes.ts';
import { itemsOf } from './support/list-answers.ts';
import { all, three } from './support/sample-networks.ts';

/** One of the daemon's own networks, so that nothing has to be made. Whether it succeeds is not judged yet. */
const ofDaemon = fixture('the inspect answer of a pre-defined network', async ({ engine, use }) => {
  const names = itemsOf(await given(use(all), 200)).map(({ Name }) => Name);
  const name = names.find((one) => one === 'bridge' || one === 'host' || one === 'none');
  if (typeof name !== 'string') throw new Blocked('the list has no pre-defined network');
  return inspectNetwork(engine, name);
});

check('networks.inspect.answers-200', { faults: [answersStatus(204, 200)] }, async ({ use }) => {
  expect(await use(ofDaemon)).toHaveStatus(200);
});

check('networks.inspect.unknown-answers-404', { faults: [answersStatus(500, 404)] }, async ({ engine, use }) => {
  await control(use(ofDaemon), 200);
  expect(await inspectNetwork(engine, engine.unusedName('network'))).toHaveStatus(404);
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
