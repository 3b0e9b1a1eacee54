import { type CheckContext, check, fixture } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import { connect, disconnect, makeNetwork, type Network } from '../../harness/engine/networks.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersBody, answersStatus } from '../../harness/faults/answers.ts';
import { onRepeats } from '../../harness/faults/fault.ts';
import {
  doesInstead,
  knowsBodyFieldOnlyAs,
  knowsOnlyIdentifiers,
  knowsOnlyNames,
  swallows,
} from '../../harness/faults/requests.ts';
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

/** Whether it succeeds is not judged yet. */
function changing(name: 'connect' | 'disconnect', change: Change, setting: Setting) {
  return fixture(`the answer of networks ${name}`, async (context) => {
    const { network, container } = await setting(context);
    return { network, container, answer: await change(context.engine, network.name, container.id) };
  });
}

type Changed = ReturnType<typeof changing>;

/** The checks that connect and disconnect share. */
function checkChange(
  name: 'connect' | 'disconnect',
  [change, undo]: readonly [Change, Change],
  setting: Setting,
  changed: Changed,
): void {
  check(`networks.${name}.answers-200`, { faults: [answersStatus(204, 200)] }, async ({ use }) => {
    expect((await use(changed)).answer).toHaveStatus(200);
  });

  check(`networks.${name}.empty-body`, { faults: [answersBody('"OK"')] }, async ({ use }) => {
    expect(await given(Promise.resolve((await use(changed)).answer), 200)).toBeEmptyBody();
  });

  check(`networks.${name}.unknown-answers-404`, { faults: [answersStatus(500, 404)] }, async ({ engine, use }) => {
    const { container, answer } = await use(changed);
    await control(Promise.resolve(answer), 200);
    expect(await change(engine, engine.name('network'), container.id)).toHaveStatus(404);
  });

  check(`networks.${name}.unknown-container-404`, { faults: [answersStatus(500, 404)] }, async ({ engine, use }) => {
    const { network, answer } = await use(changed);
    await control(Promise.resolve(answer), 200);
    expect(await change(engine, network.name, engine.name('container'))).toHaveStatus(404);
  });

  check(`networks.${name}.id-or-name`, { faults: [knowsOnlyIdentifiers(), knowsOnlyNames()] }, async (context) => {
    const { engine } = context;
    const { network, container } = await setting(context);
    expect(await change(engine, network.id, container.id)).toHaveStatus(200);
    await given(undo(engine, network.name, container.id), 200);
    expect(await change(engine, network.name, container.id)).toHaveStatus(200);
  });

  check(`networks.${name}.json-media-type`, { faults: [answersStatus(415)] }, async (context) => {
    const { engine } = context;
    const { network, container } = await setting(context);
    const path = `/networks/${network.id}/${name}`;
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ Container: container.id });
    expect(await engine.post(path, { headers, body })).toHaveStatus(200);
  });

  check(`networks.${name}.body.Container`, { faults: oneForm }, async (context) => {
    const { engine } = context;
    const { network, container } = await setting(context);
    expect(await change(engine, network.name, container.id)).toHaveStatus(200);
    await given(undo(engine, network.name, container.id), 200);
    expect(await change(engine, network.name, container.name)).toHaveStatus(200);
  });
}

const connected = changing('connect', connect, apart);

checkChange('connect', [connect, disconnect], apart, connected);
checkChange('disconnect', [disconnect, connect], together, changing('disconnect', disconnect, together));

check(
  'networks.connect.again',
  { faults: [onRepeats(answersStatus(403, 500)), onRepeats(doesInstead('/connect', '/disconnect'))] },
  async ({ engine, use }) => {
    const { network, container, answer } = await use(connected);
    await given(Promise.resolve(answer), 200);
    // It is both a conflict and a bad parameter, and a daemon may also ignore it.
    expect(await connect(engine, network.name, container.id)).toHaveStatus(200, 400, 404, 409, 500);
    const { inspect, names } = await membershipOf(container);
    expectValue('the networks of the container', names, [inspect]).toContain(network.name);
  },
);

check('networks.connect.container-id-or-name', { faults: oneForm }, async (context) => {
  const { engine } = context;
  for (const form of ['id', 'name'] as const) {
    const { network, container } = await apart(context);
    expect(await connect(engine, network.name, container[form])).toHaveStatus(200);
    const { inspect, names } = await membershipOf(container);
    expectValue(`the networks of the container, connected by its ${form}`, names, [inspect]).toContain(network.name);
  }
});

check('networks.connect.connected', { faults: [swallows(200)] }, async ({ engine }) => {
  const [network, other] = [await makeNetwork(engine), await makeNetwork(engine)];
  const container = await makeContainer(engine, { state: 'running', network: 'own' });
  for (const { name } of [network, other]) expect(await connect(engine, name, container.id)).toHaveStatus(200);
  const { inspect, names } = await membershipOf(container);
  for (const { name } of [network, other])
    expectValue('the networks of the container', names, [inspect]).toContain(name);
});

check('networks.disconnect.disconnected', { faults: [swallows(200)] }, async (context) => {
  const { engine } = context;
  const { network, container } = await together(context);
  expect(await disconnect(engine, network.name, container.id)).toHaveStatus(200);
  const { inspect, names } = await membershipOf(container);
  expectValue('the networks of the container', names, [inspect]).toLack(network.name);
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
