import type { Schema } from '../schema.ts';

const strings = { type: 'array', items: { type: 'string' } } as const satisfies Schema;
const stringMap = { type: 'object', additionalProperties: { type: 'string' } } as const satisfies Schema;
const emptyObjects = { type: 'object', additionalProperties: { type: 'object' } } as const satisfies Schema;
const command = { anyOf: [{ type: 'string' }, strings] } as const satisfies Schema;

/** The container configuration without HostConfig and NetworkingConfig (Document 1, Container configuration). */
export const containerConfig = {
  title: 'ContainerConfig',
  type: 'object',
  properties: {
    Hostname: { type: 'string', presence: 'echo', says: 'the hostname of the container' },
    Domainname: { type: 'string', presence: 'echo', says: 'the domain name of the container' },
    User: { type: 'string', presence: 'echo', says: 'the user inside the container' },
    AttachStdin: { type: 'boolean', presence: 'echo', says: 'attach to stdin' },
    AttachStdout: { type: 'boolean', presence: 'echo', says: 'attach to stdout' },
    AttachStderr: { type: 'boolean', presence: 'echo', says: 'attach to stderr' },
    Tty: { type: 'boolean', presence: 'echo', says: 'the standard streams are a terminal' },
    OpenStdin: { type: 'boolean', presence: 'echo', says: 'stdin is open' },
    StdinOnce: { type: 'boolean', presence: 'echo', says: 'stdin is closed when the one attached client leaves' },
    Env: { ...strings, presence: 'echo', says: 'environment variables in the form NAME=value' },
    Labels: { ...stringMap, presence: 'echo' },
    Cmd: { ...command, presence: 'echo' },
    Entrypoint: { ...command, presence: 'echo' },
    Image: { type: 'string', presence: 'echo', says: 'the name of the image' },
    Volumes: { ...emptyObjects, presence: 'echo', says: 'mount points inside the container' },
    WorkingDir: { type: 'string', presence: 'echo' },
    NetworkDisabled: { type: 'boolean', presence: 'echo', says: 'true turns networking off' },
    MacAddress: { type: 'string', presence: 'echo', until: '1.51' },
    ExposedPorts: { ...emptyObjects, presence: 'echo', says: 'ports in the form <port>/<tcp or udp>' },
    StopSignal: {
      type: ['string', 'integer'],
      minimum: 0,
      presence: 'echo',
      since: '1.21',
      says: 'the signal that stop sends',
    },
  },
} as const satisfies Schema;
