import type { Answer, Parameter } from '../endpoint.ts';
import { authHeader } from '../resources/auth.ts';
import type { RuleData } from '../rule.ts';

/** The path segment that names an image (Document 1, Conventions used by all endpoints). */
export const imageName = {
  in: 'path',
  required: true,
  schema: { type: 'string' },
  says: 'the name of the image, which may have a tag, a digest and a registry, or its identifier',
} as const satisfies Parameter;

/** The header with credentials for the registry (Document 1, Registry credentials carried by the engine API). */
export const registryAuth = {
  in: 'header',
  schema: authHeader,
  says: 'the credentials for the registry',
} as const satisfies Parameter;

export const noSuchImage = { says: 'there is no such image', body: 'text' } as const satisfies Answer;

export const unknownImageRule = {
  kind: 'status',
  says: 'answers 404 when there is no such image',
} as const satisfies RuleData;

/** The ways to name an image in a path. */
export const imageNameRules = {
  'by-name': {
    kind: 'parameter',
    says: 'finds the image by its name and tag',
    source: [1, 'Conventions used by all endpoints'],
    row: 'image_name',
  },
  'by-plain-name': {
    kind: 'parameter',
    says: 'finds the image by its name alone, which has the tag latest',
    source: [1, 'Conventions used by all endpoints'],
    row: 'image_name',
    interpretations: ['plain-image-name'],
  },
  'by-id': {
    kind: 'parameter',
    says: 'finds the image by its identifier',
    source: [1, 'Conventions used by all endpoints'],
    row: 'image_name',
  },
} as const satisfies Record<string, RuleData>;

/** The streams in which builds, pulls, pushes and loads report. */
export const progressStreamRules = {
  'media-type': { kind: 'header', says: 'sends Content-Type: application/json' },
  'objects-in-a-row': {
    kind: 'stream',
    says: 'sends JSON objects one after another in one answer',
    source: [1, 'Conventions used by all endpoints'],
    row: 'streaming responses',
  },
} as const satisfies Record<string, RuleData>;

/** What pulls, pushes and loads report, at least sometimes. */
export const progressMembersRule = {
  kind: 'stream',
  says: 'uses in its objects the members that Document 1 lists for them, and not only others',
  source: [1, 'Progress and error stream objects'],
  row: 'status, id, progress, progressDetail',
  interpretations: ['progress-members'],
} as const satisfies RuleData;

const credentials = [1, 'Registry credentials carried by the engine API'] as const;

/** How pull and push use X-Registry-Auth. */
export const registryAuthRules = {
  'X-Registry-Auth-credentials': {
    kind: 'auth',
    says: 'logs in to the registry with the username and password in X-Registry-Auth',
    source: credentials,
    row: 'X-Registry-Auth',
    needs: ['registry'],
  },
  'X-Registry-Auth-identitytoken': {
    kind: 'auth',
    says: 'logs in to the registry with the identitytoken in X-Registry-Auth',
    source: credentials,
    row: 'X-Registry-Auth',
    since: '1.23',
    level: 'should',
    interpretations: ['identity-token'],
    needs: ['registry'],
  },
  'X-Registry-Auth-base64': {
    kind: 'auth',
    says: 'reads X-Registry-Auth as JSON in base64',
    source: [1, 'Registry credential objects'],
    row: 'AuthConfig',
    needs: ['registry'],
  },
} as const satisfies Record<string, RuleData>;
