import { serverError } from '../common-answers.ts';
import { serverErrorRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { type RuleData, rules } from '../rule.ts';
import { imageName } from './common.ts';

const source = [3, 'Export images as a tarball'] as const;
const shape = [1, 'Image shapes'] as const;

const answers = {
  200: { says: 'the archive', body: 'tar', mediaType: 'application/x-tar' },
  500: serverError,
} as const;

export const save = endpoint({
  id: 'images.save',
  method: 'GET',
  path: '/images/{name}/get',
  summary: 'gives an image as a tar archive',
  source,
  parameters: { name: imageName },
  answers,
});

export const saveSeveral = endpoint({
  id: 'images.save-several',
  method: 'GET',
  path: '/images/get',
  summary: 'gives several images as a tar archive',
  source,
  parameters: {
    names: {
      in: 'query',
      required: true,
      schema: { type: 'array', items: { type: 'string' } },
      says: 'a name and tag, or the identifier of an image; may be given more than once',
    },
  },
  answers,
});

/** The row that both endpoints share. */
const row = '200, 500';

const archive = {
  'answers-200': { kind: 'status', says: 'answers 200 for an image', row },
  'server-error-500': { ...serverErrorRule, row },
  'media-type': { kind: 'header', says: 'sends Content-Type: application/x-tar', row },
  'body-tar': { kind: 'format', says: 'sends a complete tar archive', row },
  'unknown-refused': {
    kind: 'status',
    says: 'refuses a name that no image has',
    row,
    interpretations: ['save-missing'],
  },
} as const satisfies Record<string, RuleData>;

export const saveRules = rules(
  'images.save',
  { endpoint: save, source, row: 'GET /images/{name}/get' },
  {
    ...archive,
    'by-repository-name': { kind: 'parameter', says: 'contains every image of a repository for a name without a tag' },
    'by-name-tag': { kind: 'parameter', says: 'contains only that image and its parents for a name with a tag' },
    'by-id': { kind: 'parameter', says: 'contains only that image and its parents for an identifier' },
    'by-digest': {
      kind: 'parameter',
      says: 'finds the image by a name with its digest',
      source: [1, 'Image shapes'],
      row: 'references',
      needs: ['registry'],
    },
    'id-without-repositories': {
      kind: 'format',
      says: 'has no file named repositories for an identifier',
    },
    repositories: {
      kind: 'format',
      says: 'has a file named repositories at its root: a JSON map of names to maps of tags to layers',
      source: shape,
      row: 'tarball',
    },
    'layer-directories': {
      until: '1.23',
      kind: 'format',
      says: 'has one directory for each layer, named by the identifier of the layer',
      source: shape,
      row: 'tarball',
    },
    'layer-VERSION': {
      until: '1.23',
      kind: 'format',
      says: 'has in the directory of each layer a file VERSION that says 1.0',
      source: [1, 'Versioning'],
      row: 'tarball',
    },
    'layer-json': {
      until: '1.23',
      kind: 'format',
      says: 'has in the directory of each layer a JSON file json',
      source: shape,
      row: 'tarball',
    },
    'layer-tar': {
      until: '1.23',
      kind: 'format',
      says: 'has in the directory of each layer a tar archive layer.tar',
      source: shape,
      row: 'tarball',
    },
    'layer-whiteouts': {
      until: '1.23',
      kind: 'format',
      says: 'marks what a layer deletes with whiteout files as aufs does, also in a directory that was made again',
      source: shape,
      row: 'tarball',
    },
    'layer-whiteouts-only': {
      until: '1.23',
      kind: 'format',
      says: 'marks nothing as deleted that the image has',
      source: shape,
      row: 'tarball',
    },
    'layer-attributes': {
      until: '1.23',
      kind: 'format',
      says: 'includes in its layers files whose attributes changed',
      source: shape,
      row: 'tarball',
    },
    'loads-again': {
      kind: 'format',
      says: 'gives an archive that load accepts',
      source: shape,
      row: 'tarball',
      interpretations: ['image-after-load'],
    },
  },
);

export const saveSeveralRules = rules(
  'images.save-several',
  { endpoint: saveSeveral, source, row: 'GET /images/get' },
  {
    ...archive,
    'names-one': { kind: 'parameter', says: 'contains only the image in names and its parents' },
    'names-id': { kind: 'parameter', says: 'accepts the identifier of an image in names' },
    'names-repeated': { kind: 'parameter', says: 'contains every image when names is given more than once' },
  },
);
