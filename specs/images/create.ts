import { serverError } from '../common-answers.ts';
import { errorDetailLater, serverErrorRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { fieldRules } from '../fields.ts';
import { transferObject } from '../resources/progress.ts';
import { rules } from '../rule.ts';
import { firstCarried } from '../versions.ts';
import { progressMembersRule, progressStreamRules, registryAuth, registryAuthRules } from './common.ts';
import { tokenClientRules } from './token-client.ts';

const source = [3, 'Create an image'] as const;
const text = { type: 'string' } as const;
const registry = ['registry'] as const;

export const create = endpoint({
  id: 'images.create',
  method: 'POST',
  path: '/images/create',
  summary: 'pulls an image, or imports one',
  source,
  parameters: {
    fromImage: { in: 'query', schema: text, says: 'the name of the image to pull' },
    fromSrc: { in: 'query', schema: text, says: 'the address of what is imported, or - for the body' },
    repo: { in: 'query', schema: text, says: 'the name of the imported image' },
    tag: { in: 'query', schema: text, says: 'the tag, or since 1.21 the digest' },
    'X-Registry-Auth': registryAuth,
  },
  body: { mediaType: 'application/x-tar', required: false },
  answers: {
    200: { says: 'the progress', body: 'objects', mediaType: 'application/json', schema: transferObject },
    404: { says: 'the repository does not exist or may not be read', body: 'text' },
    500: serverError,
  },
});

export const createRules = {
  ...rules(
    'images.create',
    { endpoint: create, source, row: '200, 404, 500' },
    {
      ...progressStreamRules,
      'progress-members': { ...progressMembersRule, needs: ['registry'] },
      ...registryAuthRules,
      ...tokenClientRules,
      'answers-200': { kind: 'status', says: 'answers 200 when it imports an image' },
      'pull-answers-200': {
        kind: 'status',
        says: 'answers 200 when it pulls an image',
        needs: registry,
      },
      'missing-repository-404': {
        kind: 'status',
        says: 'answers 404 when the repository does not exist',
        needs: registry,
      },
      'no-access-404': {
        kind: 'status',
        says: 'answers 404 when the repository may not be read',
        needs: registry,
      },
      'no-credentials-404': {
        kind: 'status',
        says: 'answers 404 when reading the repository needs credentials, and there are none',
        later: { since: firstCarried, says: 'answers 500', statuses: { 404: [500] } },
        needs: registry,
      },
      'pull-media-type': { kind: 'header', says: 'sends Content-Type: application/json for a pull', needs: registry },
      'X-Registry-Auth-malformed': {
        kind: 'observe',
        says: 'what it answers to an X-Registry-Auth that is not base64 or not JSON',
        row: 'X-Registry-Auth',
        needs: registry,
      },
      'server-error-500': serverErrorRule,
      'fromImage-pulls': {
        kind: 'parameter',
        says: 'pulls the image that is named in fromImage',
        row: 'fromImage',
        needs: registry,
      },
      'fromImage-tag': {
        kind: 'parameter',
        says: 'accepts a tag in fromImage',
        row: 'fromImage',
        since: '1.21',
        needs: registry,
      },
      'fromImage-digest': {
        kind: 'parameter',
        says: 'accepts a digest in fromImage',
        row: 'fromImage',
        since: '1.21',
        needs: registry,
      },
      'fromImage-not-import': {
        kind: 'observe',
        says: 'what it does when fromImage comes with fromSrc or repo',
        row: 'fromImage',
        since: '1.21',
      },
      'repo-with-pull': {
        kind: 'parameter',
        says: 'gives a pulled image no name from repo, which is only for imports',
        row: 'repo',
        level: 'should',
        interpretations: ['repo-of-pull'],
        since: '1.21',
        needs: registry,
      },
      'pull-cancelled': {
        kind: 'state',
        says: 'cancels the pull once the client has gone',
        row: 'fromImage',
        since: '1.23',
        needs: registry,
      },
      'fromSrc-body': {
        kind: 'parameter',
        says: 'imports the tar archive in the body when fromSrc is -',
        row: 'fromSrc',
      },
      'fromSrc-address': {
        kind: 'parameter',
        says: 'imports the tar archive at the address in fromSrc',
        row: 'fromSrc',
        needs: ['reaches-suite'],
      },
      'repo-names': { kind: 'parameter', says: 'gives the imported image the name in repo', row: 'repo' },
      'repo-tag': { kind: 'parameter', says: 'accepts a tag in repo', row: 'repo', since: '1.21' },
      'tag-pull': { kind: 'parameter', says: 'pulls only the tag in tag', row: 'tag', needs: registry },
      'tag-digest': {
        kind: 'parameter',
        says: 'pulls only the digest in tag',
        row: 'tag',
        since: '1.21',
        needs: registry,
      },
      'tag-empty-all': {
        kind: 'parameter',
        says: 'pulls every tag of the image when tag is empty',
        row: 'tag',
        needs: registry,
      },
      'tag-import': { kind: 'parameter', says: 'gives the imported image the tag in tag', row: 'tag' },
      'error-in-stream': {
        ...errorDetailLater,
        kind: 'stream',
        says: 'reports a pull that fails halfway with an error object in the stream of a 200, or refuses it before the stream begins',
        source: [1, 'Errors'],
        row: 'stream errors',
        needs: registry,
        interpretations: ['listed-codes'],
      },
    },
  ),
  ...fieldRules(
    'images.create',
    { endpoint: create, source: [1, 'Progress and error stream objects'], needs: registry },
    transferObject,
  ),
};
