import { serverError } from '../common-answers.ts';
import { running, serverErrorRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { fieldRules } from '../fields.ts';
import { flagOff, flagRules } from '../parameters.ts';
import { imageRemovalItem } from '../resources/image.ts';
import { rules } from '../rule.ts';
import { imageName, imageNameRules, noSuchImage, unknownImageRule } from './common.ts';

const source = [3, 'Remove an image'] as const;
const shape = [1, 'Image shapes'] as const;

export const remove = endpoint({
  id: 'images.remove',
  method: 'DELETE',
  path: '/images/{name}',
  summary: 'removes an image',
  source,
  parameters: {
    name: imageName,
    force: { in: 'query', schema: flagOff, says: 'the image is removed even if something prevents it' },
    noprune: { in: 'query', schema: flagOff, says: 'parents without a name are kept' },
  },
  answers: {
    200: { says: 'what was removed', body: 'object', schema: { type: 'array', items: { $ref: imageRemovalItem } } },
    404: noSuchImage,
    409: { says: 'a conflict', body: 'text' },
    500: serverError,
  },
});

export const removeRules = {
  ...rules(
    'images.remove',
    { endpoint: remove, source, row: '200, 404, 409, 500' },
    {
      ...imageNameRules,
      'by-digest': {
        kind: 'parameter',
        says: 'finds the image by a name with its digest',
        source: [1, 'Image shapes'],
        row: 'references',
        needs: ['registry'],
      },
      'answers-200': { kind: 'status', says: 'answers 200 when it removes an image' },
      'unknown-answers-404': unknownImageRule,
      'conflict-409': {
        kind: 'observe',
        says: 'what it answers when a container uses the image',
        interpretations: ['listed-codes'],
      },
      'used-answers-409': {
        kind: 'status',
        says: 'answers 409 when a running container uses the image',
        source: [4, 'Carried forward without change'],
        since: '1.24',
        needs: running,
      },
      'server-error-500': serverErrorRule,
      'image-gone': { kind: 'state', says: 'leaves no image of that name' },
      'one-of-each': {
        kind: 'format',
        says: 'answers with a list in which each item has either Untagged or Deleted',
        source: shape,
        row: 'removal result item',
      },
      'deleted-identifier': {
        kind: 'format',
        says: 'has the identifier of the image in Deleted when it removes an image by its only name',
        source: shape,
        row: 'removal result item',
        level: 'should',
        interpretations: ['removed-identifiers'],
      },
      'force-default-false': {
        kind: 'parameter',
        says: 'does the same without force as with force set to false',
        row: 'force, noprune',
      },
      'noprune-default-false': {
        kind: 'parameter',
        says: 'removes as much without noprune as with noprune set to false',
        row: 'force, noprune',
      },
      'one-of-two-names': {
        kind: 'observe',
        says: 'what it answers when the image has another name',
      },
      'force-true': {
        kind: 'observe',
        says: 'whether force removes an image that a container uses',
        row: 'force, noprune',
        interpretations: ['listed-codes'],
      },
      'noprune-true': {
        kind: 'observe',
        says: 'which parents stay when noprune is true',
        row: 'force, noprune',
        interpretations: ['noprune'],
      },
    },
  ),
  ...flagRules(remove),
  ...fieldRules('images.remove', { endpoint: remove, source: shape, row: 'removal result item' }, imageRemovalItem),
};
