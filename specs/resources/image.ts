import { optionalLater, type Schema } from '../schema.ts';
import { imageConfig } from './image-config.ts';

const there = { presence: 'should' } as const satisfies Schema;
const since21 = { presence: 'should', since: '1.21' } as const satisfies Schema;
const strings = { type: 'array', items: { type: 'string' } } as const satisfies Schema;

/** One item of the image list (Document 1, Image shapes). */
export const imageListItem = {
  title: 'ImageListItem',
  type: 'object',
  properties: {
    RepoTags: { ...strings, presence: 'should' },
    Id: { presence: 'must' },
    ParentId: { presence: 'optional' },
    Created: { type: 'integer', presence: 'should', says: 'UNIX seconds' },
    Size: { type: 'integer', presence: 'should' },
    VirtualSize: { type: 'integer', presence: 'should', until: '1.43' },
    Labels: { type: 'object', additionalProperties: {}, presence: 'should', ...optionalLater },
    RepoDigests: { ...strings, presence: 'should', ...optionalLater, when: 'when digests are asked for' },
  },
} as const satisfies Schema;

/** The answer of image inspect (Document 1, Image shapes). */
export const imageInspect = {
  title: 'ImageInspect',
  type: 'object',
  properties: {
    Id: { presence: 'must' },
    Container: { ...there, until: '1.23' },
    ContainerConfig: {
      $ref: imageConfig,
      whole: true,
      presence: 'should',
      until: '1.44',
      interpretations: ['image-config-open'],
    },
    Created: { type: 'string', presence: 'should', later: { since: '1.44', presence: 'optional' } },
    Parent: { ...there, until: '1.51' },
    Size: there,
    Comment: { ...since21, until: '1.51' },
    Os: since21,
    Architecture: since21,
    EngineVersion: { ...since21, until: '1.51' },
    VirtualSize: { ...since21, until: '1.43' },
    Author: { ...since21, until: '1.51' },
    GraphDriver: {
      type: 'object',
      presence: 'should',
      since: '1.21',
      later: { since: '1.52', presence: 'optional' },
      // Some storage drivers have no data: null then.
      properties: { Name: there, Data: { presence: 'optional' } },
    },
    RepoDigests: since21,
    RepoTags: since21,
    Config: {
      $ref: imageConfig,
      whole: true,
      presence: 'should',
      since: '1.21',
      interpretations: ['image-config-open'],
    },
    RootFS: {
      type: 'object',
      presence: 'should',
      since: '1.23',
      properties: {
        Type: { type: 'string', presence: 'should' },
        Layers: { ...strings, presence: 'should' },
      },
    },
  },
} as const satisfies Schema;

/** One item of an image's history (Document 1, Image shapes). */
export const imageHistoryItem = {
  title: 'ImageHistoryItem',
  type: 'object',
  properties: {
    Id: { presence: 'must' },
    Created: { type: 'integer', presence: 'should' },
    CreatedBy: there,
    Tags: { type: ['array', 'null'], presence: 'should' },
    Size: there,
    Comment: there,
  },
} as const satisfies Schema;

/** One result of a search (Document 1, Image shapes). */
export const imageSearchResult = {
  title: 'ImageSearchResult',
  type: 'object',
  properties: {
    description: there,
    is_official: { type: 'boolean', presence: 'should' },
    is_automated: { type: 'boolean', presence: 'should' },
    name: { presence: 'must' },
    star_count: { type: 'integer', presence: 'should' },
  },
} as const satisfies Schema;

/** One item of the answer to the removal of an image (Document 1, Image shapes). */
export const imageRemovalItem = {
  title: 'ImageRemovalItem',
  type: 'object',
  minProperties: 1,
  properties: {
    Untagged: { type: 'string', presence: 'optional', says: 'a name that was taken from the image' },
    Deleted: { type: 'string', presence: 'optional', says: 'the identifier of what was deleted' },
  },
} as const satisfies Schema;

/** The answer of commit (Document 1, Image shapes). */
export const committed = {
  title: 'Committed',
  type: 'object',
  properties: { Id: { type: 'string', presence: 'must', says: 'the identifier of the image' } },
} as const satisfies Schema;
