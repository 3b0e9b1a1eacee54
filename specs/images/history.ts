import { serverError } from '../common-answers.ts';
import { serverErrorRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { fieldRules } from '../fields.ts';
import { imageHistoryItem } from '../resources/image.ts';
import { rules } from '../rule.ts';
import { imageName, imageNameRules, noSuchImage, unknownImageRule } from './common.ts';

const source = [3, 'Image history'] as const;

export const history = endpoint({
  id: 'images.history',
  method: 'GET',
  path: '/images/{name}/history',
  summary: 'lists how an image was made',
  source,
  parameters: { name: imageName },
  answers: {
    200: { says: 'the history', body: 'object', schema: { type: 'array', items: { $ref: imageHistoryItem } } },
    404: noSuchImage,
    500: serverError,
  },
});

export const historyRules = {
  ...rules(
    'images.history',
    { endpoint: history, source, row: '200, 404, 500' },
    {
      ...imageNameRules,
      'by-digest': {
        kind: 'parameter',
        says: 'finds the image by a name with its digest',
        source: [1, 'Image shapes'],
        row: 'references',
        needs: ['registry'],
      },
      'answers-200': { kind: 'status', says: 'answers 200 for an image' },
      'unknown-answers-404': unknownImageRule,
      'server-error-500': serverErrorRule,
      'answers-list': {
        kind: 'format',
        says: 'answers with a list with one item more than for the image that it was made from',
        level: 'should',
        interpretations: ['history-items'],
      },
    },
  ),
  ...fieldRules(
    'images.history',
    { endpoint: history, source: [1, 'Image shapes'], row: 'history item' },
    imageHistoryItem,
  ),
};
