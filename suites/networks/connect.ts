import { type CheckContext, check, fixture } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import { connect, disconnect, makeNetwork, type Network } from '../../harness/engine/networks.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersBody, answersStatus, changesJson } from '../../harness/faults/answers.ts';
import { on, onRepeats } from '../../harness/faults/fault.ts';
import {
  doesInstead,
  knowsBodyFieldOnlyAs,
  knowsOnlyIdentifiers,
  knowsOnlyNames,
  swallows,
} from '../../harness/faults/requests.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';
import { membershipOf } from './support/membership.ts';
import { joined } from './support/sample-networks.ts';

const identifier = /^[0-9a-f]{64}$/;
const notIdentifier = /[^0-9a-f]/;
const oneForm = [knowsBodyFieldOnlyAs('Container', identifier), knowsBodyFieldOnlyAs('Container', notIdentifier)];

/** Connects or disconnects, to be judged. */
type Change = (engine: Engine, network: string, container: string) => Promise<Exchange>;

/** A network, and a container that is ready to be connected to it or disconnected from it. */
type Setting = (context: Pick<CheckContext, 'engine' | 'use'>) => Promise<{ network: Network; container: Container }>;

const apart: Setting = async ({ engine, use }) => {
  const network = await use(joined);
  return { network, container: await makeContainer(engine, { state: 'running', network: 'own' }) };
};

/** The container stays on its first network when it is disconnected from the second. */
const together: Setting = async (context) => {
  const { network, container } = await apart(context);
  await given(connect(context.engine, network.name, container.id), 200);
  return { network, container };
};

/** The members of a network and of a container by which a request names them. */
type Form = readonly [network: 'id' | 'name', container: 'id' | 'name'];

/** Whether it succeeds is not judged yet. */
function changing(what: string, change: Change, setting: Setting, [byNetwork, byContainer]: Form = ['name', 'id']) {
  return fixture(`the answer of networks ${what}`, async (context) => {
    const { network, container } = await setting(context);
    return { network, container, answer: await change(context.engine, network[byNetwork], container[byContainer]) };
  });
}

type Changed = ReturnType<typeof changing>;

/** Each names the network and the container in its own way. */
function changesOf(name: 'connect' | 'disconnect', change: Change, setting: Setting) {
  return {
    plain: changing(name, change, setting),
    byIdentifier: changing(`${name} by the identifier of the network`, change, setting, ['id', 'id']),
    byContainerName: changing(`${name} by the name of the container`, change, setting, ['name', 'name']),
  };
}

/** The checks that connect and disconnect share. */
function checkChange(
  name: 'connect' | 'disconnect',
  change: Change,
  { plain, byIdentifier, byContainerName }: ReturnType<typeof changesOf>,
): void {
  check(`networks.${name}.answers-200`, { faults: [answersStatus(204, 200)] }, async ({ use }) => {
    expect((await use(plain)).answer).toHaveStatus(200);
  });

  check(`networks.${name}.empty-body`, { faults: [answersBody('"OK"')] }, async ({ use }) => {
    expect(await given(Promise.resolve((await use(plain)).answer), 200)).toBeEmptyBody();
  });

  check(`networks.${name}.unknown-answers-404`, { faults: [answersStatus(500, 404)] }, async ({ engine, use }) => {
    const { container, answer } = await use(plain);
    await control(Promise.resolve(answer), 200);
    expect(await change(engine, engine.unusedName('network'), container.id)).toHaveStatus(404);
  });

  check(`networks.${name}.unknown-container-404`, { faults: [answersStatus(500, 404)] }, async ({ engine, use }) => {
    const { network, answer } = await use(plain);
    await control(Promise.resolve(answer), 200);
    expect(await change(engine, network.name, engine.unusedName('container'))).toHaveStatus(404);
  });

  const forms = [knowsOnlyIdentifiers(), knowsOnlyNames()];
  check(`networks.${name}.id-or-name`, { faults: forms }, async ({ use }) => {
    for (const changed of [byIdentifier, plain]) expect((await use(changed)).answer).toHaveStatus(200);
  });

  check(`networks.${name}.json-media-type`, { faults: [answersStatus(415)] }, async ({ use }) => {
    // The Content-Type of a JSON body.
    expect((await use(byIdentifier)).answer).toHaveStatus(200);
  });

  check(`networks.${name}.body.Container`, { faults: oneForm }, async ({ use }) => {
    for (const changed of [plain, byContainerName]) expect((await use(changed)).answer).toHaveStatus(200);
  });
}

/** The networks of the container afterwards. */
function membershipAfter(what: string, changed: Changed) {
  return fixture(`the networks of a container after ${what}`, async ({ use }) =>
    membershipOf((await use(changed)).container),
  );
}

const connected = changesOf('connect', connect, apart);
const membership = {
  id: membershipAfter('connect', connected.plain),
  name: membershipAfter('connect by its name', connected.byContainerName),
};
const disconnected = changesOf('disconnect', disconnect, together);

checkChange('connect', connect, connected);
checkChange('disconnect', disconnect, disconnected);

check(
  'networks.connect.again',
  { faults: [onRepeats(answersStatus(403, 500)), onRepeats(doesInstead('/connect', '/disconnect'))] },
  async ({ engine, use }) => {
    const { network, container, answer } = await use(connected.plain);
    await given(Promise.resolve(answer), 200);
    // Others judge what it was like before.
    await use(membership.id);
    // It is both a conflict and a bad parameter, and a daemon may also ignore it.
    expect(await connect(engine, network.name, container.id)).toHaveStatus(200, 400, 404, 409, 500);
    const { inspect, names } = await membershipOf(container);
    expectValue('the networks of the container', names, [inspect]).toContain(network.name);
  },
);

check('networks.connect.container-id-or-name', { faults: oneForm }, async ({ use }) => {
  for (const form of ['id', 'name'] as const) {
    const { network, answer } = await use(form === 'id' ? connected.plain : connected.byContainerName);
    expect(answer).toHaveStatus(200);
    const { inspect, names } = await use(membership[form]);
    expectValue(`the networks of the container, connected by its ${form}`, names, [inspect]).toContain(network.name);
  }
});

/** A container that is connected to one network before it is started, and to another one after that. */
const twice = fixture('the networks of a container that was connected before and after its start', async (context) => {
  const { engine, use } = context;
  const [early, late] = [await use(joined), await makeNetwork(engine)];
  const container = await makeContainer(engine, { network: 'own' });
  const before = await connect(engine, early.name, container.id);
  await given(container.start(), 204);
  const after = await connect(engine, late.name, container.id);
  return { early, late, before, after, ...(await membershipOf(container)) };
});

check('networks.connect.connected', { faults: [swallows(200)] }, async ({ use }) => {
  const { early, late, before, after, inspect, names } = await use(twice);
  expect(after).toHaveStatus(200);
  expectValue('the networks of the container', names, [inspect]).toContain(late.name);
  if (before.status === 200) expectValue('the networks of the container', names, [inspect]).toContain(early.name);
});

check('networks.connect.before-start', { faults: [answersStatus(500, 200), swallows(200)] }, async ({ use }) => {
  const { early, before, inspect, names } = await use(twice);
  expect(before).toHaveStatus(200);
  expectValue('the networks of the container', names, [before, inspect]).toContain(early.name);
});

const left = membershipAfter('disconnect', disconnected.plain);

check('networks.disconnect.disconnected', { faults: [swallows(200)] }, async ({ use }) => {
  const { network, answer } = await use(disconnected.plain);
  expect(answer).toHaveStatus(200);
  const { inspect, names } = await use(left);
  expectValue('the networks of the container', names, [inspect]).toLack(network.name);
});

/** A container that has left one network is shown on none. */
const leavesAll = on(
  'GET /containers/{id}/json',
  changesJson('shows no network where there is one', (json) => {
    const networks = valuesAt(json, 'NetworkSettings.Networks')[0];
    if (!isObject(json) || !isObject(json.NetworkSettings) || !isObject(networks)) return json;
    if (Object.keys(networks).length !== 1) return json;
    return { ...json, NetworkSettings: { ...json.NetworkSettings, Networks: {} } };
  }),
);

check('networks.disconnect.others-kept', { faults: [leavesAll] }, async ({ use }) => {
  const { network, answer } = await use(disconnected.plain);
  await given(Promise.resolve(answer), 200);
  // Another container, which was made in the same way and stays connected, tells which networks it had before.
  const others = (await use(membership.id)).names.filter((name) => name !== network.name);
  const { inspect, names } = await use(left);
  for (const name of others) expectValue('the networks of the container', names, [inspect]).toContain(name);
});

check('networks.disconnect.force', { faults: [swallows(200), answersStatus(500, 200)] }, async (context) => {
  const { engine } = context;
  const { network, container } = await together(context);
  expect(await disconnect(engine, network.name, container.id, { Force: true })).toHaveStatus(200);
  const { inspect, names } = await membershipOf(container);
  expectValue('the networks of the container', names, [inspect]).toLack(network.name);
});

check('networks.disconnect.body.Force', { faults: [answersStatus(400, 200)] }, async (context) => {
  const { engine } = context;
  const { network, container } = await apart(context);
  for (const Force of [true, false]) {
    await given(connect(engine, network.name, container.id), 200);
    expect(await disconnect(engine, network.name, container.id, { Force })).toHaveStatus(200);
  }
});
