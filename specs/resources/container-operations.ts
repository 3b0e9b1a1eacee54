import { optionalLater, type Schema } from '../schema.ts';
import { hostConfig } from './host-config.ts';

const strings = { type: 'array', items: { type: 'string' } } as const satisfies Schema;

/** The processes of a container (Document 1, Other container-related shapes). */
export const processList = {
  title: 'ProcessList',
  type: 'object',
  properties: {
    Titles: { ...strings, presence: 'should', says: 'the names of the columns' },
    Processes: { type: 'array', items: strings, presence: 'should', says: 'the columns of each process' },
  },
} as const satisfies Schema;

/** One change of a container's file system (Document 1, Other container-related shapes). */
export const fileChange = {
  title: 'FileChange',
  type: 'object',
  properties: {
    Path: { type: 'string', presence: 'must' },
    Kind: { type: 'integer', enum: [0, 1, 2], presence: 'must', says: '0 for modified, 1 for added, 2 for deleted' },
  },
} as const satisfies Schema;

const {
  BlkioWeight,
  CpuShares,
  CpuPeriod,
  CpuQuota,
  CpusetCpus,
  CpusetMems,
  Memory,
  MemorySwap,
  MemoryReservation,
  KernelMemory,
  RestartPolicy,
} = hostConfig.properties;

/** The body of update (Document 2, Update a container). */
export const containerUpdateBody = {
  title: 'ContainerUpdateBody',
  type: 'object',
  properties: {
    BlkioWeight,
    CpuShares,
    CpuPeriod,
    CpuQuota,
    CpusetCpus,
    CpusetMems,
    Memory,
    MemorySwap,
    MemoryReservation,
    KernelMemory,
    RestartPolicy,
  },
} as const satisfies Schema;

/** The answer of update (Document 1, Other container-related shapes). */
export const containerUpdated = {
  title: 'ContainerUpdated',
  type: 'object',
  properties: { Warnings: { ...strings, presence: 'should', ...optionalLater } },
} as const satisfies Schema;

/** The body of copy (Document 2, Copy files from a container). */
export const copyBody = {
  title: 'CopyBody',
  type: 'object',
  properties: { Resource: { type: 'string', presence: 'must', says: 'the path to copy' } },
} as const satisfies Schema;

/** What the archive endpoints tell of a path (Document 1, Other container-related shapes). */
export const pathStat = {
  title: 'PathStat',
  type: 'object',
  properties: {
    name: { type: 'string', presence: 'must' },
    size: { type: 'integer', presence: 'must' },
    mode: { type: 'integer', presence: 'must', interpretations: ['big-integers'] },
    mtime: { type: 'string', format: 'date-time', presence: 'must', interpretations: ['string-timestamp'] },
    linkTarget: { type: 'string', presence: 'should' },
  },
} as const satisfies Schema;

/** The header that carries a path stat (Document 1, Other container-related shapes). */
export const pathStatHeader = {
  type: 'string',
  contentEncoding: 'base64',
  contentMediaType: 'application/json',
  contentSchema: pathStat,
} as const satisfies Schema;
