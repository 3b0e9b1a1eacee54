import { startReferenceTokenServer } from '../../../reference/token-server/index.ts';
import { type DistributionOptions, startDistribution } from './distribution.ts';
import { startDockerAuth } from './docker-auth.ts';
import type { Listening } from './listen.ts';
import { makeSigner } from './signer.ts';

/** Who may do what at each server of the family. */
export const member = { name: 'grace', password: 'canary pass"wörd/+&=%<\'>' } as const;
export const memberScope = 'repository:grace/app:pull,push repository:grace/base:pull';
const service = 'registry.test';

/** A token server of a kind that is in use, until it is closed. */
export interface Relative extends Listening {
  /** The options that name its endpoint. */
  readonly named: readonly string[];
}

const users = [member];

async function distribution(release: DistributionOptions['release']): Promise<Relative> {
  const signer = await makeSigner('distribution-token-server');
  const server = await startDistribution({ release, users, signer });
  return { ...server, named: ['--token-url', `${server.url}/token/`] };
}

/** The family of token servers, by name. */
export const family: Readonly<Record<string, () => Promise<Relative>>> = {
  reference: async () => {
    const listen = { host: '127.0.0.1', port: 0 };
    const server = await startReferenceTokenServer({ listen, users: [{ ...member, scope: memberScope }], service });
    return { ...server, named: ['--auth-url', server.url] };
  },
  'distribution 2.5.2': () => distribution('2.5.2'),
  'distribution 2.6.2': () => distribution('2.6.2'),
  'distribution 2.8.3': () => distribution('2.8.3'),
  'docker_auth 1.14': async () => {
    const server = await startDockerAuth({ users, signer: await makeSigner('docker_auth') });
    return { ...server, named: ['--token-url', `${server.url}/auth`] };
  },
};

/** The options that tell who asks, and for what. */
export const asMember = [
  ...['--auth-user', member.name, '--auth-password', member.password],
  ...['--auth-service', service, '--auth-scope', memberScope],
];
