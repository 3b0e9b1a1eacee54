import { serverErrorRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { fieldRules } from '../fields.ts';
import { filters } from '../parameters.ts';
import { event } from '../resources/event.ts';
import { rules } from '../rule.ts';
import { serverError } from './common.ts';
import { eventFilterRules, eventFilters } from './event-filters.ts';
import { eventKindRules } from './event-kinds.ts';

const source = [3, 'Monitor events'] as const;
const shape = [1, 'Events'] as const;

export const events = endpoint({
  id: 'events',
  method: 'GET',
  path: '/events',
  summary: 'tells what happens',
  source,
  parameters: {
    since: { in: 'query', schema: { type: 'string' }, says: 'a time; what happened since then comes first' },
    until: { in: 'query', schema: { type: 'string' }, says: 'a time; the stream ends then' },
    filters: { in: 'query', schema: filters(eventFilters), says: 'conditions for the events' },
  },
  answers: {
    200: { says: 'the events', body: 'objects', mediaType: 'application/json', schema: event },
    500: serverError,
  },
});

export const eventsRules = {
  ...rules(
    'events',
    { endpoint: events, source },
    {
      'answers-200': { kind: 'status', says: 'answers 200' },
      'server-error-500': serverErrorRule,
      'media-type': {
        kind: 'header',
        says: 'sends Content-Type: application/json',
        later: { since: '1.52', says: 'sends Content-Type: application/jsonl', mediaTypes: ['application/jsonl'] },
      },
      chunked: { kind: 'header', says: 'sends its body in chunks' },
      'objects-in-a-row': {
        kind: 'stream',
        says: 'sends one JSON object for each event, one after another',
        source: shape,
      },
      'real-time': { kind: 'stream', says: 'sends an event as soon as it has happened' },
      'several-listeners': {
        kind: 'stream',
        says: 'sends each event to every client that listens, also when another has gone away',
        level: 'should',
        interpretations: ['many-clients'],
      },
      'none-lost': {
        kind: 'stream',
        says: 'loses no event of many operations that follow one another at once',
        source: shape,
        level: 'should',
        interpretations: ['event-causes'],
      },
      since: { kind: 'parameter', says: 'sends what happened since the time in since, and then goes on' },
      until: { kind: 'parameter', says: 'sends what happens until the time in until, and ends' },
      'since-until': { kind: 'parameter', says: 'sends what happened between since and until, and ends' },
      'filters-map-of-lists': {
        kind: 'parameter',
        says: 'takes filters as the JSON text of a map from names to lists of strings',
        source: [1, 'Conventions used by all endpoints'],
        level: 'should',
        interpretations: ['filters-combined'],
      },
      'filters-bad-refused': {
        kind: 'status',
        says: 'refuses filters that are no JSON map',
        source: [1, 'Conventions used by all endpoints'],
        level: 'should',
        interpretations: ['malformed-filters', 'bad-parameter'],
      },
      'Type-value': {
        kind: 'event',
        says: 'has in Type container, image, volume or network on what happens to one of these',
        source: shape,
        since: '1.23',
      },
      'no-status-of-network': {
        kind: 'version',
        says: 'has no status on events of networks',
        source: shape,
        since: '1.23',
        needs: ['networking'],
      },
      'no-id-of-network': {
        kind: 'version',
        says: 'has no id on events of networks',
        source: shape,
        since: '1.23',
        needs: ['networking'],
      },
      'Action-equals-status': {
        until: '1.51',
        kind: 'event',
        says: 'has the same kind in Action and in status on events of containers',
        source: shape,
        since: '1.23',
        interpretations: ['event-text'],
      },
      'time-seconds': {
        kind: 'event',
        says: 'has in time the UNIX seconds of when it happened',
        source: shape,
      },
      'timeNano-instant': {
        kind: 'event',
        says: 'tells the same second in timeNano as in time',
        source: shape,
        since: '1.21',
      },
      'id-of-container': {
        until: '1.51',
        kind: 'event',
        says: 'has in id the identifier of the container on its events',
        source: shape,
      },
      'id-of-pull': {
        until: '1.51',
        kind: 'event',
        says: 'has in id the reference of the image on pull',
        source: shape,
        needs: ['registry'],
      },
      'from-image': {
        until: '1.51',
        kind: 'event',
        says: 'has in from the image that the container was made from on its events',
        source: shape,
      },
      'attribute-name': {
        kind: 'event',
        says: 'has the name of the container among the attributes of its events',
        source: shape,
        since: '1.23',
      },
      'attribute-image': {
        kind: 'event',
        says: 'has the image of the container among the attributes of its events',
        source: shape,
        since: '1.23',
      },
      'attribute-exitCode': {
        kind: 'event',
        says: 'has the exit code as a text among the attributes of die',
        source: shape,
        since: '1.23',
        needs: ['containers-run'],
      },
      'attribute-height-width': {
        kind: 'event',
        says: 'has height and width as texts among the attributes of resize',
        source: shape,
        since: '1.23',
        needs: ['containers-run'],
      },
      'attribute-container': {
        kind: 'event',
        says: 'has the container among the attributes of connect and disconnect',
        source: shape,
        since: '1.23',
        needs: ['containers-run', 'networking'],
      },
      'attribute-network-name': {
        kind: 'event',
        says: 'has the name of the network among the attributes of connect and disconnect',
        source: shape,
        since: '1.23',
        needs: ['containers-run', 'networking'],
      },
      'attribute-network-type': {
        kind: 'event',
        says: 'has the type of the network among the attributes of connect and disconnect',
        source: shape,
        since: '1.23',
        needs: ['containers-run', 'networking'],
      },
      'attribute-labels': {
        kind: 'event',
        says: 'has the labels of the object among the attributes of its events',
        source: shape,
        since: '1.23',
      },
      'attribute-labels-image': {
        kind: 'event',
        says: 'has the labels of the image among the attributes of tag',
        source: shape,
        since: '1.23',
        level: 'should',
        interpretations: ['attributes-seen'],
      },
      'attribute-labels-volume': {
        kind: 'event',
        says: 'has the labels of the volume among the attributes of its create',
        source: shape,
        since: '1.23',
        level: 'should',
        interpretations: ['attributes-seen'],
      },
      'attribute-labels-network': {
        kind: 'event',
        says: 'has the labels of the network among the attributes of its create',
        source: shape,
        since: '1.23',
        level: 'should',
        interpretations: ['attributes-seen'],
        needs: ['networking'],
      },
      'undocumented-attributes': {
        kind: 'observe',
        says: 'which attributes events of containers have that the documents do not name',
        source: shape,
        since: '1.23',
        interpretations: ['attributes-seen', 'open-objects'],
      },
      separator: {
        kind: 'observe',
        says: 'what stands between the objects of the stream',
        source: [1, 'Conventions used by all endpoints'],
      },
      'since-text': { kind: 'observe', says: 'what it answers to times that are no UNIX seconds' },
      'sample-order': {
        kind: 'event',
        says: 'tells create, attach, connect, start, die, disconnect and destroy of a short-lived container in this order',
        source: shape,
        level: 'should',
        interpretations: ['event-causes', 'events-by-version'],
        needs: ['containers-run', 'networking'],
      },
      'exec-kinds-alone': {
        until: '1.23',
        kind: 'event',
        says: 'tells exec_create and exec_start without anything behind them',
        source: shape,
        level: 'should',
        interpretations: ['event-text'],
        needs: ['containers-run'],
      },
      'each-once': {
        kind: 'observe',
        says: 'whether it tells an event more than once',
        source: shape,
        interpretations: ['event-causes'],
      },
      'older-types': {
        kind: 'observe',
        says: 'whether it tells what happens to volumes and networks before 1.23',
        source: shape,
        until: '1.21',
        interpretations: ['events-by-version'],
      },
      'volume-status': {
        kind: 'observe',
        says: 'whether events of volumes have status and id',
        source: shape,
        since: '1.23',
      },
      causes: {
        kind: 'observe',
        says: 'which events each operation brings',
        source: shape,
        interpretations: ['event-causes'],
      },
      'undocumented-kinds': {
        kind: 'observe',
        says: 'which kinds of events it tells that the documents do not name',
        source: shape,
        interpretations: ['open-objects'],
      },
    },
  ),
  ...eventKindRules(events),
  ...eventFilterRules(events),
  ...fieldRules('events', { endpoint: events, source: shape }, event),
};
