import { serverError } from '../common-answers.ts';
import {
  containerIdRule,
  jsonBodyRule,
  pausable,
  running,
  serverErrorRule,
  unknownContainerRule,
} from '../common-rules.ts';
import { containerId, noSuchContainer } from '../containers/common.ts';
import { endpoint } from '../endpoint.ts';
import { bodyRules, fieldRules } from '../fields.ts';
import { execCreateBody, execCreated } from '../resources/exec.ts';
import { rules } from '../rule.ts';
import { pausedContainer } from './common.ts';

const source = [3, 'Exec create'] as const;
const limits = [1, 'Limits'] as const;

export const create = endpoint({
  id: 'exec.create',
  method: 'POST',
  path: '/containers/{id}/exec',
  summary: 'sets up a command in a running container',
  source,
  parameters: { id: containerId },
  body: { mediaType: 'application/json', required: true, schema: execCreateBody },
  answers: {
    201: { says: 'the exec instance is set up', body: 'object', schema: execCreated },
    404: noSuchContainer,
    409: pausedContainer,
    500: { ...serverError, since: '1.21' },
  },
});

export const createRules = {
  ...rules(
    'exec.create',
    { endpoint: create, source, row: 'body' },
    {
      'answers-201': {
        kind: 'status',
        says: 'answers 201 for a running container',
        row: '201, 404, 409, 500',
        needs: running,
      },
      'unknown-answers-404': { ...unknownContainerRule, row: '201, 404, 409, 500' },
      'paused-answers-409': {
        kind: 'state',
        says: 'answers 409 when the container is paused',
        source: [1, 'States and transitions'],
        row: 'exec create',
        since: '1.21',
        needs: pausable,
      },
      'server-error-500': { ...serverErrorRule, since: '1.21', row: '201, 404, 409, 500' },
      'id-or-name': { ...containerIdRule, needs: running },
      'json-media-type': { ...jsonBodyRule, needs: running },
      'not-started': { kind: 'state', says: 'does not run the command yet', needs: running },
      'attach-stdout': { kind: 'field', says: 'sends stdout in the stream with AttachStdout', needs: running },
      'attach-stderr': { kind: 'field', says: 'sends stderr in the stream with AttachStderr', needs: running },
      'attach-stdin': {
        kind: 'field',
        says: 'passes what the client sends to the command with AttachStdin',
        needs: running,
      },
      tty: { kind: 'field', says: 'gives the command a terminal with Tty', needs: running },
      'cmd-string': { kind: 'field', says: 'accepts a Cmd that is a string', needs: running },
      'cmd-list': { kind: 'field', says: 'accepts a Cmd that is a list of strings', needs: running },
      'user-name': { kind: 'field', says: 'accepts the name of a user in User', needs: running },
      'user-group': { kind: 'field', says: 'accepts the names of a user and a group in User', needs: running },
      uid: { kind: 'field', says: 'accepts the number of a user in User', needs: running },
      'uid-gid': { kind: 'field', says: 'accepts the numbers of a user and a group in User', needs: running },
      privileged: {
        kind: 'field',
        says: 'gives the command more rights with Privileged',
        since: '1.21',
        needs: running,
      },
      'detach-keys': {
        kind: 'field',
        says: 'ends the session when the client sends the keys in DetachKeys',
        since: '1.23',
        needs: running,
      },
      'detach-keys-letter': {
        kind: 'limit',
        says: 'accepts a single letter in DetachKeys',
        source: limits,
        row: 'detachKeys',
        since: '1.23',
        needs: running,
      },
      'detach-keys-ctrl': {
        kind: 'limit',
        says: 'accepts ctrl- with a lower-case letter or one of @ ^ [ , _ in DetachKeys',
        source: limits,
        row: 'detachKeys',
        since: '1.23',
        needs: running,
      },
      'detach-keys-refused': {
        kind: 'limit',
        says: 'refuses malformed DetachKeys, at the latest when the command is started',
        source: limits,
        row: 'detachKeys',
        level: 'should',
        interpretations: ['bad-parameter'],
        since: '1.23',
        needs: running,
      },
      paused: {
        kind: 'observe',
        says: 'what it answers for a paused container before 1.21',
        until: '1.20',
        interpretations: ['listed-codes'],
        needs: ['freezer'],
      },
      'not-running': {
        kind: 'observe',
        says: 'what it answers for a container that is not running',
        interpretations: ['listed-codes'],
      },
    },
  ),
  ...bodyRules('exec.create', { endpoint: create, source, row: 'body' }, execCreateBody),
  ...fieldRules('exec.create', { endpoint: create, source: [1, 'Exec instance'], row: 'create response' }, execCreated),
};
