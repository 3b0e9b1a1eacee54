import { optionalLater, type Schema } from '../schema.ts';
import { containerState, inspectConfig } from './container.ts';
import { mount } from './mount.ts';
import { networkSettings } from './networking.ts';

const there = { presence: 'should' } as const satisfies Schema;
const text = { type: 'string', presence: 'echo' } as const satisfies Schema;
const yes = { type: 'boolean', presence: 'echo' } as const satisfies Schema;
const strings = { type: 'array', items: { type: 'string' } } as const satisfies Schema;
const is = { type: 'boolean', presence: 'should' } as const satisfies Schema;

/** The body of exec create (Document 3, Exec create). */
export const execCreateBody = {
  title: 'ExecCreateBody',
  type: 'object',
  properties: {
    AttachStdin: yes,
    AttachStdout: yes,
    AttachStderr: yes,
    Tty: { ...yes, says: 'the command has a terminal' },
    Cmd: { anyOf: [{ type: 'string' }, strings], presence: 'echo', says: 'the command' },
    User: { ...text, says: 'user, user:group, uid or uid:gid' },
    Privileged: { ...yes, since: '1.21', says: 'the command has extended rights' },
    DetachKeys: { ...text, since: '1.23', says: 'the keys that end the session' },
  },
} as const satisfies Schema;

/** The answer of exec create (Document 1, Exec instance). */
export const execCreated = {
  title: 'ExecCreated',
  type: 'object',
  properties: {
    Id: { type: 'string', presence: 'must' },
    Warnings: { ...strings, presence: 'should', ...optionalLater },
  },
} as const satisfies Schema;

/** The body of exec start (Document 3, Exec start). */
export const execStartBody = {
  title: 'ExecStartBody',
  type: 'object',
  properties: {
    Detach: { ...yes, says: 'the answer does not wait for the command' },
    Tty: { ...yes, says: 'the session has a terminal' },
  },
} as const satisfies Schema;

/** The container inside an older exec inspect: the members that Document 1 lists (interpretation `exec-container`). */
const execContainer = {
  title: 'ExecContainer',
  type: 'object',
  properties: {
    State: { $ref: containerState, whole: true, presence: 'should' },
    ID: there,
    Created: { type: 'string', presence: 'should' },
    Path: there,
    Args: { ...strings, presence: 'should' },
    Config: { $ref: inspectConfig, whole: true, presence: 'should' },
    Image: { type: 'string', presence: 'should' },
    NetworkSettings: { $ref: networkSettings, whole: true, presence: 'should' },
    ResolvConfPath: there,
    HostnamePath: there,
    HostsPath: there,
    LogPath: there,
    Name: { type: 'string', presence: 'should' },
    Driver: there,
    ExecDriver: there,
    MountLabel: there,
    ProcessLabel: there,
    AppArmorProfile: there,
    RestartCount: { type: 'integer', presence: 'should' },
    Mounts: { type: 'array', items: { $ref: mount }, whole: true, presence: 'should' },
  },
} as const satisfies Schema;

/** The answer of exec inspect (Document 1, Exec instance). */
export const execInspect = {
  title: 'ExecInspect',
  type: 'object',
  properties: {
    ID: { presence: 'must' },
    Running: { type: 'boolean', presence: 'must' },
    ExitCode: {
      type: 'integer',
      presence: 'must',
      when: 'when the command has ended',
      interpretations: ['null-for-integer'],
    },
    ProcessConfig: {
      type: 'object',
      presence: 'must',
      properties: {
        privileged: is,
        user: { type: 'string', presence: 'should', ...optionalLater },
        tty: is,
        entrypoint: { type: 'string', presence: 'should' },
        arguments: { ...strings, presence: 'should' },
      },
    },
    OpenStdin: is,
    OpenStderr: is,
    OpenStdout: is,
    Container: { $ref: execContainer, presence: 'should', until: '1.21', interpretations: ['exec-container'] },
    CanRemove: { ...is, since: '1.23' },
    ContainerID: { presence: 'must', since: '1.23' },
    DetachKeys: { type: 'string', presence: 'should', since: '1.23' },
  },
} as const satisfies Schema;
