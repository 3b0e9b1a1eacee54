import { wholeSection } from '../document-rows/row.ts';
import { optionalLater, type Schema } from '../schema.ts';
import { containerConfig } from './container-config.ts';
import { hostConfig } from './host-config.ts';
import { mount } from './mount.ts';
import { endpointSettings, networkingConfig, networkSettings } from './networking.ts';

const [configSection, inspectSection] = ['Container configuration', 'Container inspect object'] as const;

/** The body of create (Document 1, Container configuration). */
export const containerCreateBody = {
  title: 'ContainerCreateBody',
  type: 'object',
  source: [1, configSection],
  properties: {
    ...containerConfig.properties,
    HostConfig: { $ref: hostConfig, presence: 'echo', source: [1, 'HostConfig'], row: wholeSection },
    NetworkingConfig: { $ref: networkingConfig, presence: 'echo', since: '1.23' },
  },
} as const satisfies Schema;

/** The answer of create (Document 1, Other container-related shapes). */
export const containerCreated = {
  title: 'ContainerCreated',
  type: 'object',
  properties: {
    Id: { type: 'string', presence: 'must' },
    Warnings: { type: 'array', items: { type: 'string' }, presence: 'should', interpretations: ['null-for-empty'] },
  },
} as const satisfies Schema;

/** The answer of wait (Document 1, Other container-related shapes). */
export const waitResult = {
  title: 'WaitResult',
  type: 'object',
  properties: { StatusCode: { type: 'integer', presence: 'must', says: 'the exit code' } },
} as const satisfies Schema;

/** State of a container (Document 1, Container inspect object). */
export const containerState = {
  title: 'ContainerState',
  type: 'object',
  properties: {
    Error: { type: 'string', presence: 'should' },
    ExitCode: { type: 'integer', presence: 'must' },
    FinishedAt: { type: 'string', format: 'date-time', presence: 'should', interpretations: ['string-timestamp'] },
    OOMKilled: { type: 'boolean', presence: 'should' },
    Paused: { type: 'boolean', presence: 'must' },
    Pid: { type: 'integer', presence: 'should' },
    Restarting: { type: 'boolean', presence: 'must' },
    Running: { type: 'boolean', presence: 'must' },
    StartedAt: { type: 'string', format: 'date-time', presence: 'should', interpretations: ['string-timestamp'] },
    Status: { type: 'string', presence: 'must', since: '1.21', says: 'the state in a word' },
    Dead: { type: 'boolean', presence: 'must', since: '1.23' },
  },
} as const satisfies Schema;

/** The Config part of inspect (Document 1, Container configuration and Container inspect object). */
export const inspectConfig = {
  title: 'InspectConfig',
  type: 'object',
  properties: {
    ...containerConfig.properties,
    OnBuild: {
      type: ['array', 'null'],
      presence: 'should',
      later: { since: '1.52', presence: 'optional' },
      source: [1, configSection],
    },
  },
} as const satisfies Schema;

/** The HostConfig part of inspect (Document 1, HostConfig). */
const inspectHostConfig = {
  title: 'InspectHostConfig',
  type: 'object',
  properties: {
    ...hostConfig.properties,
    // The limits are for what is asked; an answer gives 0, -1 or null for what was not set.
    BlkioWeight: {
      type: 'integer',
      presence: 'echo',
      says: 'the weight for block IO',
      interpretations: ['blkio-host'],
    },
    MemorySwappiness: { type: 'integer', presence: 'echo', interpretations: ['null-for-integer'] },
    ContainerIDFile: { type: 'string', presence: 'should' },
    IpcMode: { type: 'string', presence: 'should' },
  },
} as const satisfies Schema;

/** The answer of inspect (Document 1, Container inspect object). */
export const containerInspect = {
  title: 'ContainerInspect',
  type: 'object',
  properties: {
    AppArmorProfile: { presence: 'should' },
    Args: { type: 'array', items: { type: 'string' }, presence: 'should' },
    Config: {
      $ref: inspectConfig,
      presence: 'must',
      interpretations: ['config-of-inspect'],
      source: [1, configSection],
      row: wholeSection,
    },
    Created: {
      ...{ type: 'string', format: 'date-time', presence: 'should' },
      ...{ interpretations: ['string-timestamp'], ...optionalLater },
    },
    Driver: { presence: 'should' },
    ExecDriver: { presence: 'should', until: '1.21' },
    ExecIDs: { type: ['array', 'null'], presence: 'should' },
    HostConfig: { $ref: inspectHostConfig, presence: 'must', source: [1, 'HostConfig'], row: wholeSection },
    HostnamePath: { presence: 'should' },
    HostsPath: { presence: 'should' },
    LogPath: { presence: 'should', until: '1.23' },
    Id: { presence: 'must' },
    Image: { type: 'string', presence: 'must', says: 'the identifier of the image' },
    MountLabel: { presence: 'should' },
    Name: { type: 'string', pattern: '^/', presence: 'must', says: "starts with '/'" },
    NetworkSettings: { $ref: networkSettings, presence: 'must' },
    Path: { presence: 'should' },
    ProcessLabel: { presence: 'should' },
    ResolvConfPath: { presence: 'should' },
    RestartCount: { type: 'integer', presence: 'should' },
    State: { $ref: containerState, presence: 'must' },
    Mounts: { type: 'array', items: { $ref: mount }, presence: 'should' },
    SizeRw: { type: 'integer', presence: 'must', when: 'when size is asked for', since: '1.21' },
    SizeRootFs: { type: 'integer', presence: 'must', when: 'when size is asked for', since: '1.21' },
  },
  source: [1, inspectSection],
} as const satisfies Schema;

/** One item of the container list (Document 1, Container list item). */
export const containerListItem = {
  title: 'ContainerListItem',
  type: 'object',
  properties: {
    Id: { type: 'string', presence: 'must' },
    Names: {
      type: 'array',
      items: { type: 'string', pattern: '^/' },
      presence: 'must',
      says: "each starts with '/'",
    },
    Image: { type: 'string', presence: 'must', says: 'the name of the image' },
    ImageID: { type: 'string', presence: 'must', since: '1.21' },
    Command: { type: 'string', presence: 'should' },
    Created: { type: 'integer', presence: 'should', says: 'UNIX seconds' },
    State: { type: 'string', presence: 'must', since: '1.23' },
    Status: { type: 'string', presence: 'must', says: 'the state in words for people' },
    Ports: {
      type: 'array',
      presence: 'should',
      items: {
        type: 'object',
        properties: {
          PrivatePort: { type: 'integer', presence: 'must' },
          PublicPort: {
            type: 'integer',
            presence: 'must',
            when: 'when the port is published',
            interpretations: ['ports-unpublished'],
          },
          Type: { type: 'string', presence: 'must' },
        },
      },
    },
    Labels: {
      type: 'object',
      additionalProperties: { type: 'string' },
      presence: 'should',
      interpretations: ['null-for-empty'],
    },
    SizeRw: { type: 'integer', presence: 'must', ...optionalLater, when: 'when size is asked for' },
    SizeRootFs: { type: 'integer', presence: 'must', when: 'when size is asked for' },
    HostConfig: {
      type: 'object',
      presence: 'should',
      since: '1.23',
      properties: { NetworkMode: { type: 'string', presence: 'should' } },
    },
    NetworkSettings: {
      type: 'object',
      presence: 'should',
      since: '1.23',
      properties: {
        Networks: { type: 'object', presence: 'should', additionalProperties: { $ref: endpointSettings } },
      },
    },
    Mounts: { type: 'array', presence: 'should', since: '1.23', items: { $ref: mount } },
  },
} as const satisfies Schema;

/** What a commit does with these shows in image inspect alone, and there no longer since 1.50 (Document 4). */
const notShownLater = {
  Hostname: { ...containerConfig.properties.Hostname, until: '1.49' },
  Domainname: { ...containerConfig.properties.Domainname, until: '1.49' },
  AttachStdin: { ...containerConfig.properties.AttachStdin, until: '1.49' },
  AttachStdout: { ...containerConfig.properties.AttachStdout, until: '1.49' },
  AttachStderr: { ...containerConfig.properties.AttachStderr, until: '1.49' },
  Tty: { ...containerConfig.properties.Tty, until: '1.49' },
  OpenStdin: { ...containerConfig.properties.OpenStdin, until: '1.49' },
  StdinOnce: { ...containerConfig.properties.StdinOnce, until: '1.49' },
  NetworkDisabled: { ...containerConfig.properties.NetworkDisabled, until: '1.49' },
  MacAddress: { ...containerConfig.properties.MacAddress, until: '1.49' },
} as const satisfies Record<string, Schema>;

/** The body of commit: a container configuration (Document 3, Commit a container as an image). */
export const commitBody = {
  title: 'CommitBody',
  type: 'object',
  properties: {
    ...containerConfig.properties,
    ...notShownLater,
    Image: {
      ...containerConfig.properties.Image,
      unchecked: 'what the image of a configuration does to a commit is not stated',
    },
  },
} as const satisfies Schema;
