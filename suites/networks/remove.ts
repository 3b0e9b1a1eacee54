import { check, fixture } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import { inspectNetwork, makeNetwork, removeNetwork } from '../../harness/engine/networks.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { answersBody, answersStatus } from '../../harness/faults/answers.ts';
import type { Fault } from '../../harness/faults/fault.ts';
import { knowsOnlyIdentifiers, knowsOnlyNames, swallows } from '../../harness/faults/requests.ts';
import { tellUnjudged } from '../support/shared-results.ts';
import { itemOf, itemsOf, listNetworks } from './support/list-answers.ts';
import { all } from './support/sample-networks.ts';

/** Whether it succeeds is not judged yet. */
const removed = fixture('the answer of network remove', async ({ engine }) =>
  removeNetwork(engine, (await makeNetwork(engine)).name),
);

for (const status of [200, 204] as const) {
  const other = status === 200 ? 204 : 200;
  check(`networks.remove.answers-${status}`, { faults: [answersStatus(other, status)] }, async ({ use }) => {
    expect(await use(removed)).toHaveStatus(status);
  });
}

check('networks.remove.empty-body', { faults: [answersBody('done')] }, async ({ use }) => {
  expect(await given(use(removed), 200, 204)).toBeEmptyBody();
});

const predefined = ['none', 'host', 'bridge'] as const;

/** The identifier of the first of them where the list has it, and the names of the others. */
async function askedFor(list: Promise<Exchange>): Promise<readonly string[]> {
  const [first, ...others] = predefined;
  const id = itemsOf(await given(list, 200)).find(({ Name }) => Name === first)?.Id;
  return [typeof id === 'string' && id !== '' ? id : first, ...others];
}

/** A daemon may be without its default network; that it lists it is a rule of its own. The verdict says so. */
async function isWithoutBridge(engine: Engine, answers: readonly Exchange[]): Promise<boolean> {
  if (answers[predefined.indexOf('bridge')]?.status !== 404) return false;
  const list = await given(listNetworks(engine), 200);
  if (itemsOf(list).some(({ Name }) => Name === 'bridge')) return false;
  tellUnjudged('the network bridge was', 'the daemon lists none', list);
  return true;
}

/** Knows its own networks by their names only. */
const removesByIdentifier: Fault = {
  name: 'removes one by its identifier',
  answer: (answer, { path }) => (/\/networks\/[0-9a-f]{64}$/.test(path) ? { ...answer, status: 204 } : answer),
};

const failsAtBridge: Fault = {
  name: 'answers 500 for bridge',
  answer: (answer, { path }) => (path.endsWith('/networks/bridge') ? { ...answer, status: 500 } : answer),
};

check(
  'networks.remove.predefined-answers-403',
  { faults: [answersStatus(204, 403), removesByIdentifier, failsAtBridge] },
  async ({ engine, use }) => {
    await control(use(removed), 200, 204);
    const answers: Exchange[] = [];
    for (const asked of await askedFor(use(all))) {
      const answer = await removeNetwork(engine, asked);
      answers.push(answer);
      // If the daemon removes one, it is not asked to remove another.
      if (answer.status < 400) break;
    }
    const judged = (await isWithoutBridge(engine, answers)) ? predefined.slice(0, -1) : predefined;
    const statuses = answers.slice(0, judged.length).map(({ status }) => status);
    expectValue(`the statuses for ${judged.join(', ')}`, statuses, answers).toBe(judged.map(() => 403));
  },
);

check('networks.remove.unknown-answers-404', { faults: [answersStatus(204, 404)] }, async ({ engine, use }) => {
  await control(use(removed), 200, 204);
  expect(await removeNetwork(engine, engine.unusedName('network'))).toHaveStatus(404);
});

check('networks.remove.id-or-name', { faults: [knowsOnlyIdentifiers(), knowsOnlyNames()] }, async ({ engine, use }) => {
  const { id } = await makeNetwork(engine);
  expect(await removeNetwork(engine, id)).toHaveStatus(200, 204);
  expect(await use(removed)).toHaveStatus(200, 204);
});

check('networks.remove.network-gone', { faults: [swallows(204)] }, async ({ engine }) => {
  const network = await makeNetwork(engine);
  await given(inspectNetwork(engine, network.name), 200);
  await given(removeNetwork(engine, network.name), 200, 204);
  expect(await inspectNetwork(engine, network.name)).toHaveStatus(404);
  const answer = await given(listNetworks(engine), 200);
  expectValue('the network in the list', itemOf(answer, network), [answer]).toBeAbsent();
});

check('networks.remove.in-use', { faults: [] }, async ({ engine }) => {
  const network = await makeNetwork(engine);
  await makeContainer(engine, { state: 'running', hostConfig: { NetworkMode: network.name } });
  const answer = await removeNetwork(engine, network.name);
  const left = itemsOf(await given(listNetworks(engine), 200)).some(({ Id }) => Id === network.id);
  observe(`answers ${answer.status}; the network is ${left ? 'still there' : 'gone'}`, answer);
});
