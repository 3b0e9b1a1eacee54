import { rules } from './rule.ts';

/** What holds for the versions of the interface as a whole (Document 1, Versioning). */
export const versioningRules = rules(
  'versioning',
  { source: [1, 'Versioning'] },
  {
    prefix: { kind: 'version', says: 'the daemon serves paths that begin with /v and the API version', row: 'prefix' },
    'newer-client-400': {
      kind: 'version',
      says: 'the daemon answers 400 to a client whose API version is newer than its own',
      row: 'newer client',
      since: '1.21',
      interpretations: ['newer-client'],
    },
    'newer-client-every-call': {
      kind: 'version',
      says: 'the daemon answers 400 on every endpoint to a client whose API version is newer than its own',
      source: [1, 'Errors'],
      row: '400',
      since: '1.21',
      interpretations: ['newer-client'],
    },
    'newer-client-1.20': {
      kind: 'observe',
      says: 'what the daemon answers in 1.20 to a client whose API version is newer than its own',
      row: 'newer client',
      until: '1.20',
      interpretations: ['newer-client'],
    },
    reported: {
      kind: 'observe',
      says: 'whether the ApiVersion that it reports is its newest version or the one of the request',
      row: 'ApiVersion',
      interpretations: ['reported-version'],
    },
    'not-older-than-asked': {
      kind: 'version',
      since: '1.21',
      interpretations: ['newer-client', 'reported-version'],
      says: 'the daemon reports an ApiVersion that is not older than the version of the request',
      row: 'newer client',
    },
    'same-container': {
      kind: 'version',
      says: 'a container that is inspected or listed in two versions has the same values in the fields that both have',
      row: 'since',
      level: 'should',
      interpretations: ['same-in-versions'],
    },
    'same-image': {
      kind: 'version',
      says: 'an image that is inspected or listed in two versions has the same values in the fields that both have',
      row: 'since',
      level: 'should',
      interpretations: ['same-in-versions'],
    },
    'same-volume': {
      kind: 'version',
      since: '1.21',
      says: 'a volume that is inspected or listed in two versions has the same values in the fields that both have',
      row: 'since',
      level: 'should',
      interpretations: ['same-in-versions'],
    },
    'same-network': {
      kind: 'version',
      since: '1.21',
      needs: ['networking'],
      says: 'a network that is inspected or listed in two versions has the same values in the fields that both have',
      row: 'since',
      level: 'should',
      interpretations: ['same-in-versions'],
    },
    'too-old-400': {
      kind: 'version',
      says: 'the daemon answers 400 to a client whose API version is older than every one that it serves',
      source: [4, 'General rules'],
      since: '1.25',
    },
    'later-endpoints': {
      kind: 'observe',
      says: 'what the daemon answers on an endpoint that was added in a later version',
      row: 'since',
      until: '1.21',
    },
    unprefixed: {
      kind: 'observe',
      says: 'what the daemon answers to a path without a version',
      row: 'unprefixed paths',
    },
    range: { kind: 'observe', says: 'which API versions the daemon serves', row: 'unprefixed paths' },
    'older-client': {
      kind: 'observe',
      says: 'what the daemon answers to a client with a very old API version',
      row: 'unprefixed paths',
    },
  },
);
