import { check } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { given } from '../../harness/engine/given.ts';
import { makeInSubnet } from '../../harness/engine/networks.ts';
import { inVersion, on } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { makeImage } from '../images/support/committed-images.ts';
import { containerWith, createVolume } from '../volumes/support/volumes.ts';
import { accountsOfContainer, accountsOfImage, accountsOfNetwork, accountsOfVolume } from './support/accounts.ts';
import { expectAgreement } from './support/agreement.ts';

const inspect = 'GET /containers/{id}/json';

check(
  'versioning.same-container',
  {
    faults: [
      on(inspect, inVersion('1.20', setsField('Id', 'another'))),
      on(inspect, inVersion('1.20', setsField('State.Running', false))),
      on(inspect, inVersion('1.20', setsField('Config.Env', []))),
      on('GET /containers/json', inVersion('1.20', setsField('Image', 'another'))),
    ],
  },
  async ({ engine }) => {
    const container = await makeContainer(engine, {
      state: 'running',
      config: {
        Env: ['EC=1'],
        Labels: { 'ec.one': '1' },
        ExposedPorts: { '8080/tcp': {} },
        Volumes: { '/ec-volume': {} },
        WorkingDir: '/work',
        User: 'probe',
      },
      hostConfig: { RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 3 }, ReadonlyRootfs: true },
    });
    for (const account of accountsOfContainer(container)) await expectAgreement(engine, account);
  },
);

check(
  'versioning.same-image',
  {
    faults: [
      on('GET /images/{name}/json', inVersion('1.20', setsField('Id', 'another'))),
      on('GET /images/json', inVersion('1.20', setsField('RepoTags', ['another:1']))),
    ],
  },
  async ({ engine, use }) => {
    const { id, name } = await makeImage({ engine, use }, { query: { comment: 'a comment' }, json: { Env: ['EC=1'] } });
    for (const account of accountsOfImage(name, id)) await expectAgreement(engine, account);
  },
);

check(
  'versioning.same-volume',
  {
    faults: [
      on('GET /volumes/{name}', inVersion('1.21', setsField('Driver', 'another'))),
      on('GET /volumes', inVersion('1.21', setsField('Volumes[].Mountpoint', '/another'))),
    ],
  },
  async ({ engine }) => {
    const name = engine.name('volume');
    await given(createVolume(engine, name), 201);
    await containerWith(engine, name);
    for (const account of accountsOfVolume(name)) await expectAgreement(engine, account);
  },
);

check(
  'versioning.same-network',
  {
    faults: [
      on('GET /networks/{id}', inVersion('1.21', setsField('IPAM.Config[].Subnet', '192.0.2.0/24'))),
      on('GET /networks/{id}', inVersion('1.21', setsField('Scope', 'another'))),
      on('GET /networks', inVersion('1.21', setsField('Driver', 'another'))),
    ],
  },
  async ({ engine }) => {
    const network = await makeInSubnet(engine);
    for (const account of accountsOfNetwork(network)) await expectAgreement(engine, account);
  },
);
