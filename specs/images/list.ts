import { filtersRules } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { fieldRules } from '../fields.ts';
import { filters, flagOff, flagRules } from '../parameters.ts';
import { imageListItem } from '../resources/image.ts';
import { rules } from '../rule.ts';

const source = [3, 'List images'] as const;
const shape = [1, 'Image shapes'] as const;

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
    all: { in: 'query', schema: flagOff, says: 'all images, including intermediate ones' },
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
      'answers-200': { kind: 'status', says: 'answers 200', row: '200' },
      'answers-list': {
        kind: 'format',
        says: 'answers with a list of images, each of them once',
        row: '200',
        interpretations: ['null-for-empty'],
      },
      'created-seconds': {
        kind: 'field',
        says: 'gives in Created the UNIX seconds at which the image was created',
        source: [1, 'Image shapes'],
        row: 'list item',
      },
      'all-default-false': {
        kind: 'parameter',
        says: 'lists with all set to true every image that it lists with all set to false or not set',
        row: 'all, filters, digests',
      },
      ...filtersRules,
      'filters-dangling': {
        kind: 'parameter',
        says: 'lists only images without a name with the filter dangling=true',
        row: 'all, filters, digests',
      },
      'filters-label-key': {
        kind: 'parameter',
        says: 'lists only images with the label of that key with the filter label=<key>',
        row: 'all, filters, digests',
      },
      'filters-label-value': {
        kind: 'parameter',
        says: 'lists only images with that key and value with the filter label=<key>=<value>',
        row: 'all, filters, digests',
      },
      'filters-filter-name': {
        until: '1.24',
        kind: 'parameter',
        says: 'lists only images of that name with filter=<name>',
        row: 'all, filters, digests',
        interpretations: ['image-filter-name'],
      },
      'untagged-texts': {
        kind: 'version',
        says: 'has the text <none>:<none> in RepoTags of an image without a name, and at most <none>@<none> in RepoDigests',
        source: [4, 'Images'],
        since: '1.24',
        until: '1.42',
      },
      'untagged-empty': {
        kind: 'version',
        says: 'has no names in RepoTags and RepoDigests of an image without a name',
        source: [4, 'Images'],
        since: '1.43',
      },
      'no-VirtualSize': {
        kind: 'version',
        says: 'no longer has VirtualSize',
        source: [4, 'Images'],
        since: '1.44',
      },
      'filter-ignored': {
        kind: 'version',
        says: 'lists images of other names, too, when the parameter filter names one',
        source: [4, 'Images'],
        since: '1.41',
      },
      'digests-1': { kind: 'parameter', says: 'has RepoDigests when digests is 1', row: 'all, filters, digests' },
      'digests-other': {
        kind: 'observe',
        says: 'what it does with other values of digests, and of none',
        row: 'all, filters, digests',
      },
      'tag-names-image': {
        kind: 'format',
        says: 'gives RepoTags by which the image can be found',
        source: shape,
        row: 'references',
      },
      'digest-names-image': {
        kind: 'format',
        says: 'gives RepoDigests of the form <repository>@sha256:<digest> by which the image can be found',
        source: shape,
        row: 'references',
        needs: ['registry'],
      },
      'as-inspected': {
        kind: 'format',
        says: 'tells of an image what inspect does',
        source: shape,
        row: 'list item',
        level: 'should',
        interpretations: ['list-and-inspect'],
      },
      'status-codes': { kind: 'observe', says: 'which status it answers to bad parameters', row: '200' },
      'filters-unknown': {
        kind: 'observe',
        says: 'what it answers to a filter that the documents do not name',
        row: 'all, filters, digests',
      },
      undocumented: {
        kind: 'observe',
        says: 'which fields it has that the documents do not name',
        source: shape,
        row: 'list item',
        interpretations: ['open-objects'],
      },
    },
  ),
  ...flagRules(list),
  ...fieldRules('images.list', { endpoint: list, source: shape, row: 'list item' }, imageListItem),
};
