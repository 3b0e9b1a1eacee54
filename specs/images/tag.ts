import { serverError } from '../common-answers.ts';
import { serverErrorRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { flagOff, flagRules } from '../parameters.ts';
import { rules } from '../rule.ts';
import { imageName, imageNameRules, noSuchImage, unknownImageRule } from './common.ts';

const source = [3, 'Tag an image'] as const;

export const tag = endpoint({
  id: 'images.tag',
  method: 'POST',
  path: '/images/{name}/tag',
  summary: 'gives an image another name',
  source,
  parameters: {
    name: imageName,
    repo: { in: 'query', schema: { type: 'string' }, says: 'the repository of the new name' },
    force: { in: 'query', schema: flagOff, says: 'the name is taken from another image that has it' },
    tag: { in: 'query', schema: { type: 'string' }, says: 'the tag of the new name' },
  },
  answers: {
    201: { says: 'the image has the name', body: 'empty' },
    400: { says: 'a parameter is bad', body: 'text' },
    404: noSuchImage,
    409: { says: 'a conflict', body: 'text' },
    500: serverError,
  },
});

export const tagRules = {
  ...rules(
    'images.tag',
    { endpoint: tag, source, row: '201, 400, 404, 409, 500' },
    {
      ...imageNameRules,
      'by-digest': {
        kind: 'parameter',
        says: 'finds the image by a name with its digest',
        source: [1, 'Image shapes'],
        row: 'references',
        needs: ['registry'],
      },
      'answers-201': { kind: 'status', says: 'answers 201 when it names an image' },
      'empty-body': { kind: 'format', says: 'sends no body' },
      'bad-parameter-400': {
        kind: 'status',
        says: 'answers 400 to a bad parameter',
        unchecked: 'no value of its parameters is said to be bad',
      },
      'unknown-answers-404': unknownImageRule,
      'conflict-409': {
        kind: 'observe',
        says: 'what it answers when another image has the name',
        interpretations: ['tag-force'],
      },
      'server-error-500': serverErrorRule,
      repo: { kind: 'parameter', says: 'names the image in the repository in repo', row: 'repo, force, tag' },
      tag: { kind: 'parameter', says: 'gives the name the tag in tag', row: 'repo, force, tag' },
      'tag-default': { kind: 'observe', says: 'which tag the name gets when tag is not set', row: 'repo, force, tag' },
      'force-default-false': {
        kind: 'parameter',
        says: 'does the same without force as with force set to false',
        row: 'repo, force, tag',
      },
      'bad-names': { kind: 'observe', says: 'what it answers to malformed names' },
      'force-true': {
        kind: 'observe',
        says: 'whether the name moves from another image when force is true',
        row: 'repo, force, tag',
        interpretations: ['tag-force'],
      },
    },
  ),
  ...flagRules(tag),
};
