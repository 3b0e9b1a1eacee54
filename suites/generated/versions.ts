import fc from 'fast-check';
import { check } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { given } from '../../harness/engine/given.ts';
import { makeInSubnet } from '../../harness/engine/networks.ts';
import { inVersion, on } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import type { Settings } from '../../harness/generators/settings.ts';
import { labelMaps, texts } from '../../harness/generators/texts.ts';
import { forAll } from '../../harness/property/for-all.ts';
import { isObject } from '../../harness/streams/json-path.ts';
import { type ApiVersion, atLeast } from '../../specs/versions.ts';
import { hasTidiedUp } from '../containers/support/named-states.ts';
import { makeImageFrom } from '../images/support/committed-images.ts';
import { created } from '../support/common-containers.ts';
import {
  accountsOfContainer,
  accountsOfImage,
  accountsOfNetwork,
  accountsOfVolume,
} from '../versions/support/accounts.ts';
import { expectAgreement } from '../versions/support/agreement.ts';
import { containerWith, createVolume } from '../volumes/support/volumes.ts';
import { bodiesIn, configsIn } from './support/container-values.ts';
import { judgedOf } from './support/kept-fields.ts';

/** Settings that keep a container of the probe from running. */
const notRunning = ['Cmd', 'Entrypoint', 'User', 'StopSignal', 'MacAddress', 'NetworkDisabled'];

const containers = (api: ApiVersion) =>
  fc.record({
    state: fc.constantFrom('created' as const, 'running' as const, 'exited' as const),
    both: bodiesIn(api),
  });

check(
  'generated.versions.containers',
  {
    faults: [
      on('GET /containers/{id}/json', inVersion('1.20', setsField('Config.Labels', {}))),
      on('GET /containers/{id}/json', inVersion('1.20', setsField('State.ExitCode', 9))),
      on('GET /containers/json', inVersion('1.20', setsField('Labels', {}))),
    ],
  },
  (context) =>
    forAll(context, containers(context.api), { runs: 3 }, async ({ state, both: { config, hostConfig } }, trial) => {
      const { engine } = trial;
      const settings = judgedOf(trial, 'containers.create.body.', config);
      const runs = (one: Settings) =>
        Object.fromEntries(Object.entries(one).filter(([name]) => !notRunning.includes(name)));
      const options =
        state === 'created'
          ? { config: settings, hostConfig: judgedOf(trial, 'containers.create.body.HostConfig.', hostConfig) }
          : { config: runs(settings), state };
      trial.step(
        `makes a container that is ${state}, with ${Object.keys(options.config).join(', ') || 'nothing special'}`,
      );
      const container = await makeContainer(engine, options);
      if (state === 'exited') await hasTidiedUp(container);
      for (const account of accountsOfContainer(container)) {
        trial.step(`asks for ${account.path} in each version`);
        await trial.decides('versioning.same-container', () => expectAgreement(engine, account));
      }
    }),
);

const images = (api: ApiVersion) => fc.record({ config: configsIn(api), comment: texts, author: texts });

check(
  'generated.versions.images',
  {
    faults: [
      on('GET /images/{name}/json', inVersion('1.20', setsField('Size', 4_711))),
      on('GET /images/json', inVersion('1.20', setsField('RepoTags', ['another:1']))),
    ],
  },
  (context) =>
    forAll(context, images(context.api), { runs: 2 }, async ({ config, comment, author }, trial) => {
      const { engine } = trial;
      const json = judgedOf(trial, 'images.commit.body.', config);
      trial.step(`commits an image with ${Object.keys(json).join(', ') || 'no configuration'}`);
      const { id, name } = await makeImageFrom(engine, await trial.use(created), {
        query: { comment, author },
        json,
      });
      for (const account of accountsOfImage(name, id)) {
        await trial.decides('versioning.same-image', () => expectAgreement(engine, account));
      }
    }),
);

check(
  'generated.versions.volumes',
  {
    faults: [
      on('GET /volumes/{name}', inVersion('1.21', setsField('Mountpoint', '/another'))),
      on('GET /volumes', inVersion('1.21', setsField('Volumes', []))),
    ],
  },
  (context) =>
    forAll(
      context,
      fc.record({ labels: labelMaps, used: fc.boolean() }),
      { runs: 2 },
      async ({ labels, used }, trial) => {
        const { engine } = trial;
        const name = engine.name('volume');
        const Labels = { ...engine.sandbox.labels, ...labels };
        trial.step(`creates a volume${used ? ' and a container with it' : ''}`);
        await given(createVolume(engine, name, atLeast(engine.api, '1.23') ? { Labels } : {}), 201);
        if (used) await containerWith(engine, name);
        for (const account of accountsOfVolume(name)) {
          await trial.decides('versioning.same-volume', () => expectAgreement(engine, account));
        }
      },
    ),
);

const networks = fc.record({
  labels: labelMaps,
  gateway: fc.option(fc.integer({ min: 1, max: 7 })),
  used: fc.boolean(),
});

check(
  'generated.versions.networks',
  {
    faults: [
      on('GET /networks/{id}', inVersion('1.21', setsField('IPAM.Config[].Subnet', '192.0.2.0/24'))),
      on('GET /networks', inVersion('1.21', setsField('Driver', 'another'))),
    ],
  },
  (context) =>
    forAll(context, networks, { runs: 2 }, async ({ labels, gateway, used }, trial) => {
      const { engine } = trial;
      const Labels = { ...engine.sandbox.labels, ...(isObject(labels) && labels) };
      trial.step(`creates a network${used ? ' and a container on it' : ''}`);
      const network = await makeInSubnet(engine, ({ cidr, at }) => ({
        ...(atLeast(engine.api, '1.23') && { Labels }),
        IPAM: { Driver: 'default', Config: [{ Subnet: cidr, ...(gateway !== null && { Gateway: at(gateway) }) }] },
      }));
      if (used) await makeContainer(engine, { state: 'running', hostConfig: { NetworkMode: network.name } });
      for (const account of accountsOfNetwork(network)) {
        await trial.decides('versioning.same-network', () => expectAgreement(engine, account));
      }
    }),
);
