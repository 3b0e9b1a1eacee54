import { serverError } from '../common-answers.ts';
import { serverErrorRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { fieldRules } from '../fields.ts';
import { imageInspect } from '../resources/image.ts';
import { rules } from '../rule.ts';
import { imageName, imageNameRules, noSuchImage, unknownImageRule } from './common.ts';

const source = [3, 'Inspect an image'] as const;
const shape = [1, 'Image shapes'] as const;

export const inspect = endpoint({
  id: 'images.inspect',
  method: 'GET',
  path: '/images/{name}/json',
  summary: 'describes an image',
  source,
  parameters: { name: imageName },
  answers: {
    200: { says: 'the image', body: 'object', schema: imageInspect },
    404: noSuchImage,
    500: serverError,
  },
});

export const inspectRules = {
  ...rules(
    'images.inspect',
    { endpoint: inspect, source, row: '200, 404, 500' },
    {
      ...imageNameRules,
      'answers-200': { kind: 'status', says: 'answers 200 for an image' },
      'unknown-answers-404': unknownImageRule,
      'server-error-500': serverErrorRule,
      'by-digest': {
        kind: 'parameter',
        says: 'finds the image by each of its RepoDigests',
        source: shape,
        row: 'references',
        needs: ['registry'],
      },
      'by-registry-name': {
        kind: 'parameter',
        says: 'finds the image by a name with the host and port of a registry',
        source: [1, 'Conventions used by all endpoints'],
        row: 'image_name',
      },
      'Id-sha256': {
        kind: 'version',
        says: "starts Id with 'sha256:'",
        source: shape,
        row: 'inspect',
        since: '1.23',
        interpretations: ['sha256-prefix'],
      },
      'Id-prefix': {
        kind: 'observe',
        says: "whether it starts Id with 'sha256:'",
        source: shape,
        row: 'inspect',
        until: '1.21',
        interpretations: ['sha256-prefix'],
      },
      'Parent-sha256': {
        kind: 'version',
        says: "starts Parent with 'sha256:' when there is a parent",
        source: shape,
        row: 'inspect',
        since: '1.23',
        interpretations: ['sha256-prefix'],
      },
      'no-VirtualSize': {
        kind: 'version',
        says: 'no longer has VirtualSize',
        source: [4, 'Images'],
        since: '1.44',
      },
      'no-Container': {
        kind: 'version',
        says: 'no longer has Container',
        source: [4, 'Images'],
        since: '1.45',
      },
      'no-ContainerConfig': {
        kind: 'version',
        says: 'no longer has ContainerConfig',
        source: [4, 'Images'],
        since: '1.45',
      },
      'Config-trimmed': {
        kind: 'version',
        says: 'no longer has in Config what only containers have',
        source: [4, 'Images'],
        since: '1.50',
      },
      undocumented: {
        kind: 'observe',
        says: 'which fields it has that the documents do not name',
        source: shape,
        row: 'inspect',
        interpretations: ['open-objects'],
      },
    },
  ),
  ...fieldRules('images.inspect', { endpoint: inspect, source: shape, row: 'inspect' }, imageInspect),
};
