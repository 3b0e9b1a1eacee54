import fc from 'fast-check';
import { check } from '../../harness/check.ts';
import { given } from '../../harness/engine/given.ts';
import {
  createInSubnet,
  createNetwork,
  inspectNetwork,
  networkBody,
  networkIdIn,
} from '../../harness/engine/networks.ts';
import type { Subnet } from '../../harness/engine/subnets.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { on, since } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { ignoresFilter } from '../../harness/faults/requests.ts';
import { type Settings, settingsOf, type Values } from '../../harness/generators/settings.ts';
import { labelMaps, words } from '../../harness/generators/texts.ts';
import { forAll } from '../../harness/property/for-all.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';
import { networkCreateBody } from '../../specs/resources/network.ts';
import { type ApiVersion, atLeast } from '../../specs/versions.ts';
import { expectListed, itemsOf, listNetworks } from '../networks/support/list-answers.ts';
import { judgeNetworkFilters, networkFilters } from './lists/support/network-filters.ts';

const bodies: Values = {
  Name: 'it is one of the run',
  Driver: fc.constant('bridge'),
  IPAM: 'it depends on the addresses that are free',
  Options: 'it is up to the driver',
  Labels: labelMaps,
};

const values = (api: ApiVersion) =>
  fc.record({
    ending: fc.tuple(fc.constantFrom('_', '.', '-', ''), words).map((parts) => parts.join('')),
    body: settingsOf(networkCreateBody, api, bodies),
    gateway: fc.option(fc.integer({ min: 1, max: 7 })),
    range: fc.boolean(),
    asked: fc.array(networkFilters(api), { minLength: 1, maxLength: 4, size: 'max' }),
    notCidr: fc.constantFrom('', '/', '/99', '/28/28', ' '),
  });

function ipamOf({ cidr, upperHalf, at, cidr6 }: Subnet, gateway: number | null, range: boolean, six: boolean) {
  return {
    Driver: 'default',
    Config: [
      { Subnet: cidr, ...(gateway !== null && { Gateway: at(gateway) }), ...(range && { IPRange: upperHalf }) },
      ...(six ? [{ Subnet: cidr6 }] : []),
    ],
  };
}

const creates = 'POST /networks/create';

check(
  'generated.inputs.networks',
  {
    faults: [
      on(creates, answersStatus(500, 201)),
      on(creates, answersStatus(201)),
      on('GET /networks/{id}', setsField('IPAM.Config', [])),
      since('1.23', on('GET /networks/{id}', setsField('Labels', {}))),
      on('GET /networks', ignoresFilter('name')),
      on('GET /networks', ignoresFilter('id')),
    ],
  },
  (context) =>
    forAll(
      context,
      values(context.api),
      { runs: 3 },
      async ({ asked, ending, body, gateway, range, notCidr }, trial) => {
        const { engine } = trial;
        const Labels = { ...engine.sandbox.labels, ...(isObject(body.Labels) && body.Labels) };
        const Name = engine.name('network') + ending;
        engine.sandbox.note('network', Name);
        const members: Settings = { ...body, Name, ...(atLeast(engine.api, '1.23') && { Labels }) };
        trial.step(`creates a network with ${Object.keys(members).join(', ') || 'a subnet only'}`);
        const { created, name, subnet } = await createInSubnet(engine, (free) => ({
          ...members,
          IPAM: ipamOf(free, gateway, range, body.EnableIPv6 === true),
        }));
        await trial.decides('networks.create.answers-201', () => expect(created).toHaveStatus(201));
        if (created.status !== 201) return;
        const network = { id: networkIdIn(created) ?? name, name };
        const inspect = await inspectNetwork(engine, name);
        await trial.decides('networks.create.usable-by-name', () => {
          expect(inspect).toHaveStatus(200);
          expect(inspect).field('Id').toBe(network.id);
        });
        await trial.decides('networks.create.body.IPAM.Config[].Subnet', () =>
          expectValue('IPAM.Config[].Subnet', valuesAt(inspect.json, 'IPAM.Config[].Subnet'), [inspect]).toContain(
            subnet.cidr,
          ),
        );
        if (gateway !== null) {
          await trial.decides('networks.create.body.IPAM.Config[].Gateway', () =>
            expectValue('IPAM.Config[].Gateway', valuesAt(inspect.json, 'IPAM.Config[].Gateway'), [inspect]).toContain(
              subnet.at(gateway),
            ),
          );
        }
        for (const member of ['Internal', 'EnableIPv6', 'Labels'] as const) {
          const sent = members[member];
          if (sent === undefined) continue;
          // An engine may have labels of its own.
          await trial.decides(`networks.create.body.${member}`, () =>
            expectValue(member, valuesAt(inspect.json, member)[0], [inspect]).toBeLike(sent),
          );
        }
        trial.step('creates another one, whose subnet is not in CIDR form, and then with one that is free');
        const other = networkBody(engine);
        const refused = await createNetwork(engine, {
          ...other,
          IPAM: { Config: [{ Subnet: `${subnet.at(0)}${notCidr}` }] },
        });
        const after = await given(listNetworks(engine), 200);
        const { created: again } = await createInSubnet(engine, (free) => ({
          Name: other.Name,
          IPAM: ipamOf(free, null, false, false),
        }));
        await trial.decides('networks.create.ipam-not-cidr-refused', () => {
          expect(refused).toBeRefused();
          expectValue(
            'the names in the list',
            itemsOf(after).map(({ Name }) => Name),
            [refused, after],
          ).toLack(other.Name);
        });
        await trial.decides('networks.create.answers-201', () => expect(again).toHaveStatus(201));
        if (again.status !== 201) return;
        const second = { id: networkIdIn(again) ?? '', name: String(other.Name) };
        for (const filter of ['name', 'id'] as const) {
          trial.step(`lists networks by their ${filter}`);
          const one = await given(listNetworks(engine, { [filter]: [network[filter]] }), 200);
          const both = await given(listNetworks(engine, { [filter]: [network[filter], second[filter]] }), 200);
          await trial.decides(`networks.list.filters-${filter}`, () => {
            // One network's name may be part of another's, which is enough to match since 1.23.
            const isPart = second[filter].includes(network[filter]);
            expectListed(one, [network], isPart ? [] : [second]);
            // The meaning of several values is stated only for 1.21.
            if (!atLeast(engine.api, '1.23')) expectListed(both, [network, second], []);
          });
        }
        for (const one of asked) await judgeNetworkFilters(trial, [network, second], one, after);
      },
    ),
);
