import type { Capability } from './capabilities.ts';
import type { RuleData } from './rule.ts';
import { firstCarried } from './versions.ts';

/** What rules about a working container need. */
export const running: readonly Capability[] = ['containers-run'];

export const pausable: readonly Capability[] = ['containers-run', 'freezer'];

/** The listed status 500, the same for every endpoint. */
export const serverErrorRule = {
  kind: 'status',
  says: 'answers 500 on a server error',
  interpretations: ['server-error'],
} as const satisfies RuleData;

/** The listed status 404 of the endpoints that act on a container. */
export const unknownContainerRule = {
  kind: 'status',
  says: 'answers 404 when there is no such container',
} as const satisfies RuleData;

/** The path segment that names a container. */
export const containerIdRule = {
  kind: 'parameter',
  says: 'finds the container by its identifier and by its name',
  source: [1, 'Conventions used by all endpoints'],
  row: 'container_id_or_name',
} as const satisfies RuleData;

/** An error of the archive endpoints for which daemons use a status other than the listed one. */
export const serverErrorLater = {
  later: { since: firstCarried, says: 'answers 500', statuses: { 400: [500], 403: [500] } },
} as const satisfies Partial<RuleData>;

/** An answer without a body, for which daemons leave out the media type. */
export const noMediaTypeLater = {
  later: { since: firstCarried, says: 'sends no Content-Type', noMediaType: true },
} as const satisfies Partial<RuleData>;

/** An error object of a stream, whose text daemons may give in its detail only. */
export const errorDetailLater = {
  later: { since: firstCarried, says: 'has its message in errorDetail alone' },
} as const satisfies Partial<RuleData>;

/** A 204 has no content. */
export const noContentRule = {
  kind: 'format',
  says: 'answers 204 without a body',
  source: [1, 'Errors'],
  row: '200, 201, 204',
} as const satisfies RuleData;

export const jsonBodyRule = {
  kind: 'header',
  says: 'accepts a body with Content-Type: application/json',
  source: [1, 'Conventions used by all endpoints'],
  row: 'request bodies',
} as const satisfies RuleData;

/** The form of the parameter filters. */
export const filtersRules = {
  'filters-map-of-lists': {
    kind: 'parameter',
    says: 'accepts filters as JSON text: a map of names to lists of strings',
    source: [1, 'Conventions used by all endpoints'],
    row: 'filters',
  },
  'filters-bad-refused': {
    kind: 'status',
    says: 'refuses filters that are not a JSON map',
    source: [1, 'Conventions used by all endpoints'],
    row: 'filters',
    level: 'should',
    interpretations: ['malformed-filters', 'bad-parameter'],
  },
} as const satisfies Record<string, RuleData>;
