import { wholeSection } from './document-rows/row.ts';
import { rules } from './rule.ts';

const shown = [1, 'Errors'] as const;
const later = [4, 'General rules'] as const;

/** What holds for the service as a whole (Document 1, What the service does, Errors, Authentication and Limits). */
export const serviceRules = rules(
  'service',
  { source: [1, 'What the service does'], row: 'api-cors-header' },
  {
    'unix-socket': {
      kind: 'format',
      says: 'the daemon listens on a local unix socket by default',
      row: 'listening address',
      unchecked: 'where a daemon listens by default cannot be seen from the address it is judged at',
    },
    'other-address': {
      kind: 'format',
      says: 'the daemon can listen on another host and port, or on another unix socket',
      row: 'listening address',
      unchecked: 'how a daemon is told where to listen is not part of the interface',
    },
    'cors-off-by-default': {
      kind: 'header',
      says: 'the daemon sends no Access-Control-Allow-Origin when api-cors-header is not set or blank',
      interpretations: ['cors'],
    },
    'cors-origin': {
      kind: 'header',
      says: 'the daemon sends the origin in api-cors-header as Access-Control-Allow-Origin',
      interpretations: ['cors'],
      needs: ['cors-origin'],
    },
    'cors-other-origin': {
      kind: 'header',
      says: 'the daemon allows no origin other than the one in api-cors-header',
      interpretations: ['cors'],
      needs: ['cors-origin'],
    },
    'cors-all-origins': {
      kind: 'header',
      says: 'the daemon allows every origin when api-cors-header is *',
      interpretations: ['cors'],
      needs: ['cors-origin'],
    },
    'cors-preflight': {
      kind: 'observe',
      says: 'what the daemon answers to the OPTIONS request that a browser sends first',
      interpretations: ['cors'],
    },
    'other-flag-spellings': {
      kind: 'observe',
      says: 'what the daemon does with a flag in another spelling',
      source: [1, 'Conventions used by all endpoints'],
      row: 'Boolean flag',
      interpretations: ['flags'],
    },
    'content-types': {
      kind: 'observe',
      says: 'which Content-Type answers have when none is stated',
      source: [1, 'Conventions used by all endpoints'],
      row: 'request bodies',
    },
    transitions: {
      kind: 'observe',
      says: 'which operations the daemon refuses in which state of a container',
      source: [1, 'States and transitions'],
      row: 'transitions',
    },
    'error-body': {
      kind: 'observe',
      says: 'which Content-Type and body 4xx and 5xx answers have',
      source: shown,
      row: 'error body',
      interpretations: ['error-body'],
    },
    'error-json': {
      kind: 'format',
      says: 'the daemon answers errors with Content-Type: application/json and an object with a string in message',
      source: later,
      since: '1.24',
    },
    'unknown-path-404': {
      kind: 'format',
      says: 'the daemon answers 404 to an unknown path, with an error like any other',
      source: later,
      since: '1.24',
    },
    'unknown-path': {
      kind: 'observe',
      says: 'what the daemon answers to a path that the documents do not name',
      source: shown,
      row: wholeSection,
    },
    'unknown-method': {
      kind: 'observe',
      says: 'what the daemon answers to a method that the documents do not name for a path',
      source: shown,
      row: wholeSection,
    },
    'caller-authentication': {
      kind: 'observe',
      says: 'whether the daemon asks its callers for credentials',
      source: [1, 'Authentication'],
      row: 'callers',
    },
    'rate-limits': {
      kind: 'observe',
      says: 'whether the daemon limits requests in number, size or concurrency',
      source: [1, 'Limits'],
      row: 'rates',
    },
  },
);
