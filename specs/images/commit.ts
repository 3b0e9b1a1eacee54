import { serverError } from '../common-answers.ts';
import { jsonBodyRule, pausable, serverErrorRule, unknownContainerRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { bodyRules, fieldRules } from '../fields.ts';
import { flag, flagRules } from '../parameters.ts';
import { commitBody } from '../resources/container.ts';
import { committed } from '../resources/image.ts';
import { rules } from '../rule.ts';

const source = [3, 'Commit a container as an image'] as const;
const text = { type: 'string' } as const;

export const commit = endpoint({
  id: 'images.commit',
  method: 'POST',
  path: '/commit',
  summary: 'makes an image from a container',
  source,
  parameters: {
    container: { in: 'query', required: true, schema: text, says: 'the container' },
    repo: { in: 'query', schema: text, says: 'the repository of the image' },
    tag: { in: 'query', schema: text, says: 'the tag of the image' },
    comment: { in: 'query', schema: text, says: 'a message' },
    author: { in: 'query', schema: text, says: 'who made the image' },
    pause: { in: 'query', schema: flag, says: 'the container is paused during the commit' },
    changes: { in: 'query', schema: text, says: 'instructions of a build file to apply' },
  },
  body: { mediaType: 'application/json', required: false, schema: commitBody },
  answers: {
    201: { says: 'the image is made', body: 'object', schema: committed },
    404: { says: 'there is no such container', body: 'text' },
    500: serverError,
  },
});

export const commitRules = {
  ...rules(
    'images.commit',
    { endpoint: commit, source, row: 'container, repo, tag, comment, author, pause, changes' },
    {
      'answers-201': { kind: 'status', says: 'answers 201 when it makes an image', row: '201, 404, 500' },
      'unknown-answers-404': { ...unknownContainerRule, row: '201, 404, 500' },
      'server-error-500': { ...serverErrorRule, row: '201, 404, 500' },
      'json-media-type': jsonBodyRule,
      container: {
        kind: 'parameter',
        says: 'makes the image from the files of the container in container',
      },
      repo: {
        kind: 'parameter',
        says: 'gives the image the name in repo',
      },
      tag: {
        kind: 'parameter',
        says: 'gives the name the tag in tag',
      },
      comment: {
        kind: 'parameter',
        says: 'keeps the message in comment',
      },
      author: {
        kind: 'parameter',
        says: 'keeps the author in author',
      },
      'pause-true': {
        kind: 'parameter',
        says: 'pauses the container before the commit when pause is true',
        needs: pausable,
      },
      'pause-false': {
        kind: 'parameter',
        says: 'does not pause the container for the commit when pause is false',
        needs: pausable,
      },
      'pause-default': {
        kind: 'observe',
        says: 'whether it pauses the container when pause is not set',
        needs: pausable,
      },
      'config-member': {
        kind: 'observe',
        says: 'whether it accepts a configuration under config in the body',
        row: 'body',
        interpretations: ['commit-body'],
      },
      'without-body': {
        kind: 'observe',
        says: 'what it answers to a commit without a body',
        row: 'body',
        interpretations: ['commit-body'],
      },
      changes: {
        kind: 'parameter',
        says: 'applies the instructions in changes',
      },
      config: {
        kind: 'field',
        says: 'gives the image the configuration in the body',
        row: 'body',
        level: 'should',
        interpretations: ['commit-body'],
      },
    },
  ),
  ...flagRules(commit),
  ...bodyRules(
    'images.commit',
    { endpoint: commit, source, row: 'body', level: 'should', interpretations: ['commit-body'] },
    commitBody,
  ),
  ...fieldRules('images.commit', { endpoint: commit, source: [1, 'Image shapes'], row: 'commit response' }, committed),
};
