import { serverError } from '../common-answers.ts';
import { errorDetailLater, serverErrorRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { fieldRules } from '../fields.ts';
import { transferObject } from '../resources/progress.ts';
import { rules } from '../rule.ts';
import {
  imageName,
  noSuchImage,
  progressMembersRule,
  progressStreamRules,
  registryAuth,
  registryAuthRules,
} from './common.ts';

const source = [3, 'Push an image'] as const;
const registry = ['registry'] as const;

export const push = endpoint({
  id: 'images.push',
  method: 'POST',
  path: '/images/{name}/push',
  summary: 'pushes an image to a registry',
  source,
  parameters: {
    name: imageName,
    tag: { in: 'query', schema: { type: 'string' }, says: 'the tag on the registry' },
    'X-Registry-Auth': registryAuth,
  },
  answers: {
    200: { says: 'the progress', body: 'objects', mediaType: 'application/json', schema: transferObject },
    404: noSuchImage,
    500: serverError,
  },
});

export const pushRules = {
  ...rules(
    'images.push',
    { endpoint: push, source, row: '200, 404, 500' },
    {
      'media-type': { ...progressStreamRules['media-type'], needs: registry },
      'progress-members': { ...progressMembersRule, needs: registry },
      'objects-in-a-row': { ...progressStreamRules['objects-in-a-row'], needs: registry },
      ...registryAuthRules,
      'answers-200': {
        kind: 'status',
        says: 'answers 200 when it pushes an image',
        needs: registry,
      },
      'unknown-answers-404': {
        kind: 'status',
        says: 'answers 404, or reports an error in its stream, when there is no such image',
        interpretations: ['push-missing'],
        needs: registry,
      },
      'server-error-500': serverErrorRule,
      'registry-in-name': {
        kind: 'parameter',
        says: 'pushes the complete image to the registry whose host and port are in the name',
        row: 'registry in the name',
        needs: registry,
      },
      tag: {
        kind: 'parameter',
        says: 'pushes the image with the tag in tag, under that tag',
        row: 'tag, X-Registry-Auth',
        needs: registry,
      },
      'tag-optional': {
        kind: 'observe',
        says: 'which tags it pushes when tag is not set',
        row: 'tag, X-Registry-Auth',
        needs: registry,
      },
      'without-tag': {
        kind: 'parameter',
        says: 'accepts a push without tag',
        row: 'tag, X-Registry-Auth',
        needs: registry,
      },
      'X-Registry-Auth-missing': {
        kind: 'observe',
        says: 'whether it pushes without X-Registry-Auth',
        row: 'tag, X-Registry-Auth',
        needs: registry,
      },
      'push-cancelled': {
        kind: 'state',
        says: 'cancels the push once the client has gone',
        row: 'cancelled',
        since: '1.23',
        needs: registry,
      },
      'error-in-stream': {
        ...errorDetailLater,
        kind: 'stream',
        says: 'reports a push that fails with an error object in the stream of a 200, or refuses it before the stream begins',
        source: [1, 'Errors'],
        row: 'stream errors',
        needs: registry,
        interpretations: ['listed-codes'],
      },
    },
  ),
  ...fieldRules('images.push', { endpoint: push, source: [1, 'Progress and error stream objects'] }, transferObject),
};
