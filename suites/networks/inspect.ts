import { check, fixture } from '../../harness/check.ts';
import { control, given } from '../../harness/engine/given.ts';
import { inspectNetwork } from '../../harness/engine/networks.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { since } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { knowsOnlyIdentifiers, knowsOnlyNames } from '../../harness/faults/requests.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';
import { Blocked } from '../../harness/verdict/outcomes.ts';
import { keysOf } from '../../specs/keys.ts';
import { atLeast } from '../../specs/versions.ts';
import { itemsOf } from './support/list-answers.ts';
import { all, inspected, sample, sampleMembership, three } from './support/sample-networks.ts';

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

/** The members of a container in Containers, and what they are called where the container is inspected. */
const told = {
  EndpointID: 'EndpointID',
  MacAddress: 'MacAddress',
  IPv4Address: 'IPAddress',
} as const;

const member = 'Containers{}';

check(
  'networks.inspect.containers',
  {
    faults: [
      ...keysOf(told).map((name) => setsField(`${member}.${name}`, 'another')),
      since('1.23', setsField(`${member}.Name`, 'another')),
      setsField('Containers', { another: {} }),
    ],
  },
  async ({ api, use }) => {
    const { network, container } = await use(sample);
    const answer = await use(inspected);
    const { inspect, endpoint } = await use(sampleMembership);
    const [all] = valuesAt(answer.json, 'Containers');
    const shown = isObject(all) ? all[container.id] : undefined;
    const judge = (name: string, value: JsonValue | undefined, wanted: JsonValue) =>
      expectValue(`${name} of the container`, value, [answer, inspect], { level: 'should' }).toBe(wanted);
    expectValue('the container in Containers', shown, [answer, inspect], { level: 'should' }).toSatisfy(
      'an object',
      () => isObject(shown),
    );
    if (!isObject(shown)) return;
    for (const name of keysOf(told)) {
      const [here, there] = [plain(shown[name]), plain(endpoint(network)[told[name]])];
      // Where one of them tells nothing, other rules judge that.
      if (here !== '' && there !== '') judge(name, here, there);
    }
    if (atLeast(api, '1.23') && typeof shown.Name === 'string') judge('Name', plain(shown.Name), container.name);
  },
);

/** Without the slash before a name, the length of the prefix after an address, and the case of a MAC address. */
function plain(value: JsonValue | undefined): string {
  return typeof value === 'string'
    ? value
        .replace(/^\//, '')
        .replace(/\/\d+$/, '')
        .toLowerCase()
    : '';
}
