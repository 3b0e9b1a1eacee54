import { running } from '../common-rules.ts';
import type { Endpoint } from '../endpoint.ts';
import { rules } from '../rule.ts';

/** The filters of the event stream (Document 3, Monitor events). */
export const eventFilters = {
  container: { says: 'a container' },
  event: { says: 'a kind of event' },
  image: { says: 'an image' },
  label: { says: 'a label of containers or images', since: '1.21' },
  type: { says: 'container, image, volume or network', since: '1.23' },
  volume: { says: 'a volume', since: '1.23' },
  network: { says: 'a network', since: '1.23' },
} as const;

/** The rules of these filters. */
export function eventFilterRules(endpoint: Endpoint) {
  return rules(
    'events.filters',
    { endpoint, source: [3, 'Monitor events'], row: 'since, until, filters' },
    {
      container: { kind: 'parameter', says: 'sends only events of the container in the filter container' },
      event: { kind: 'parameter', says: 'sends only events of the kind in the filter event' },
      'event-die': {
        kind: 'parameter',
        says: 'sends die when a container exits, and nothing else, with the filter event=die',
        level: 'should',
        interpretations: ['event-causes'],
        needs: running,
      },
      image: { kind: 'parameter', says: 'sends only events of the image in the filter image' },
      'image-of-containers': {
        kind: 'observe',
        says: 'whether the filter image with the name of an image sends the events of its containers',
        needs: running,
      },
      'label-container': {
        kind: 'parameter',
        says: 'sends only events of containers with the label in the filter label',
        since: '1.21',
      },
      'label-image': {
        kind: 'parameter',
        says: 'sends only events of images with the label in the filter label',
        since: '1.21',
      },
      'type-container': {
        kind: 'parameter',
        says: 'sends only events of containers with the filter type=container',
        since: '1.23',
      },
      'type-image': {
        kind: 'parameter',
        says: 'sends only events of images with the filter type=image',
        since: '1.23',
      },
      'type-volume': {
        kind: 'parameter',
        says: 'sends only events of volumes with the filter type=volume',
        since: '1.23',
      },
      'type-network': {
        kind: 'parameter',
        says: 'sends only events of networks with the filter type=network',
        since: '1.23',
        needs: ['networking'],
      },
      volume: { kind: 'parameter', says: 'sends only events of the volume in the filter volume', since: '1.23' },
      network: {
        kind: 'parameter',
        says: 'sends only events of the network in the filter network',
        since: '1.23',
        needs: ['networking'],
      },
      unknown: { kind: 'observe', says: 'what it does with a filter that the documents do not name' },
    },
  );
}
