import { type CheckContext, check, type FixtureContext } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { given } from '../../harness/engine/given.ts';
import { makeInSubnet } from '../../harness/engine/networks.ts';
import { inVersion, on, since } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { makeImage } from '../images/support/committed-images.ts';
import { doneOnceForAll } from '../support/done-once.ts';
import { containerWith, createVolume } from '../volumes/support/volumes.ts';
import { accountsOfContainer, accountsOfImage, accountsOfNetwork, accountsOfVolume } from './support/accounts.ts';
import { type Account, expectToldAlike, told } from './support/agreement.ts';

const inspect = 'GET /containers/{id}/json';

/** Judges one thing in each version, by answers for which the versions are asked once. */
function toldAlike(
  what: string,
  make: (context: Omit<FixtureContext, 'api'>) => Promise<readonly Account[]>,
): (context: CheckContext) => Promise<void> {
  const asked = doneOnceForAll(`${what}, as each version tells of it`, async (context) => {
    const answers = [];
    for (const account of await make(context)) answers.push(await told(context.engine, account));
    return answers;
  });
  return async (context) => {
    for (const one of await asked(context)) await expectToldAlike(context.engine, one);
  };
}

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
  toldAlike('a container', async ({ engine }) => {
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
    return accountsOfContainer(container);
  }),
);

check(
  'versioning.same-image',
  {
    faults: [
      on('GET /images/{name}/json', inVersion('1.20', setsField('Id', 'another'))),
      since('1.21', on('GET /images/{name}/json', inVersion('1.21', setsField('Config.Env', ['EC=2'])))),
      on('GET /images/json', inVersion('1.20', setsField('RepoTags', ['another:1']))),
    ],
  },
  toldAlike('an image', async ({ engine, use }) => {
    const { id, name } = await makeImage({ engine, use }, { query: { comment: 'a comment' }, json: { Env: ['EC=1'] } });
    return accountsOfImage(name, id);
  }),
);

check(
  'versioning.same-volume',
  {
    faults: [
      on('GET /volumes/{name}', inVersion('1.21', setsField('Driver', 'another'))),
      on('GET /volumes', inVersion('1.21', setsField('Volumes[].Mountpoint', '/another'))),
    ],
  },
  toldAlike('a volume', async ({ engine }) => {
    const name = engine.name('volume');
    await given(createVolume(engine, name), 201);
    await containerWith(engine, name);
    return accountsOfVolume(name);
  }),
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
  toldAlike('a network', async ({ engine }) => {
    const network = await makeInSubnet(engine);
    return accountsOfNetwork(network);
  }),
);
