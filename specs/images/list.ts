import { endpoint } from '../endpoint.ts';
import { fieldRules } from '../fields.ts';
import { filters, flagOff, flagRules } from '../parameters.ts';
import { imageListItem } from '../resources/image.ts';
import { rules } from '../rule.ts';

const source = [3, 'List images'] as const;
const shape = [1, 'Image shapes'] as const;
const conventions = [1, 'Conventions used by all endpoints'] as const;

const imageFilters = {
  dangling: { says: 'true for images without a name' },
  label: { says: 'the key of a label, or <key>=<value>' },
  filter: { says: 'the name of an image', until: '1.24' },
} as const;

export const list = endpoint({
  id: 'images.list',
  method: 'GET',
  path: '/images/json',
  summary: 'lists images',
  source,
  parameters: {
    all: { in: 'query', schema: flagOff, says: 'all images, also those in between' },
    filters: { in: 'query', schema: filters(imageFilters), says: 'conditions for the images' },
    digests: { in: 'query', schema: { type: 'string' }, says: '1 for the digests of the images' },
  },
  answers: { 200: { says: 'the images', body: 'object', schema: { type: 'array', items: { $ref: imageListItem } } } },
});

export const listRules = {
  ...rules(
    'images.list',
    { endpoint: list, source },
    {
      'answers-200': { kind: 'status', says: 'answers 200' },
      'answers-list': {
        kind: 'format',
        says: 'answers a list of images',
        interpretations: ['null-for-empty'],
      },
      'created-seconds': {
        kind: 'field',
        says: 'gives in Created the UNIX seconds of when the image was created',
        source: [1, 'Image shapes'],
      },
      'all-default-false': {
        kind: 'parameter',
        says: 'has no image with all set to false or not set that it does not have with all set to true',
      },
      'filters-map-of-lists': {
        kind: 'parameter',
        says: 'takes filters as the JSON text of a map from names to lists of strings',
        source: conventions,
      },
      'filters-bad-refused': {
        kind: 'status',
        says: 'refuses filters that are no JSON map',
        source: conventions,
        level: 'should',
        interpretations: ['malformed-filters', 'bad-parameter'],
      },
      'filters-dangling': {
        kind: 'parameter',
        says: 'has only images without a name with the filter dangling=true',
      },
      'filters-label-key': {
        kind: 'parameter',
        says: 'has only images with the label of that key with the filter label=<key>',
      },
      'filters-label-value': {
        kind: 'parameter',
        says: 'has only images with that key and value with the filter label=<key>=<value>',
      },
      'filters-filter-name': {
        until: '1.24',
        kind: 'parameter',
        says: 'has only images of that name with filter=<name>',
        interpretations: ['image-filter-name'],
      },
      'untagged-empty': {
        kind: 'version',
        says: 'has no names in RepoTags and RepoDigests of an image without a name',
        source: [4, 'Images'],
        since: '1.43',
      },
      'digests-1': { kind: 'parameter', says: 'has RepoDigests when digests is 1' },
      'digests-other': { kind: 'observe', says: 'what it makes of other values of digests, and of none' },
      'tag-names-image': {
        kind: 'format',
        says: 'gives RepoTags by which the image can be found',
        source: shape,
      },
      'digest-names-image': {
        kind: 'format',
        says: 'gives RepoDigests of the form <repository>@sha256:<digest> by which the image can be found',
        source: shape,
        needs: ['registry'],
      },
      'status-codes': { kind: 'observe', says: 'which status it answers to bad parameters' },
      'filters-unknown': { kind: 'observe', says: 'what it answers to a filter that the documents do not name' },
      undocumented: {
        kind: 'observe',
        says: 'which fields it has that the documents do not name',
        source: shape,
        interpretations: ['open-objects'],
      },
    },
  ),
  ...flagRules(list),
  ...fieldRules('images.list', { endpoint: list, source: shape }, imageListItem),
};
