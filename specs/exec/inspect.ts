import { serverError } from '../common-answers.ts';
import { running, serverErrorRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { fieldRules } from '../fields.ts';
import { execInspect } from '../resources/exec.ts';
import { rules } from '../rule.ts';
import { execId, execIdRule, noSuchExec, unknownExecRule } from './common.ts';

const source = [3, 'Exec inspect'] as const;
const shape = [1, 'Exec instance'] as const;
const states = [1, 'States and transitions'] as const;

export const inspect = endpoint({
  id: 'exec.inspect',
  method: 'GET',
  path: '/exec/{id}/json',
  summary: 'describes an exec instance',
  source,
  parameters: { id: execId },
  answers: {
    200: [
      { says: 'the exec instance', body: 'object', mediaType: 'plain/text', schema: execInspect, until: '1.21' },
      { says: 'the exec instance', body: 'object', mediaType: 'application/json', schema: execInspect, since: '1.23' },
    ],
    404: noSuchExec,
    500: serverError,
  },
});

export const inspectRules = {
  ...rules(
    'exec.inspect',
    { endpoint: inspect, source, row: '200, 404, 500' },
    {
      'answers-200': { kind: 'status', says: 'answers 200 for an exec instance', needs: running },
      'unknown-answers-404': unknownExecRule,
      'server-error-500': serverErrorRule,
      'exec-id': execIdRule,
      'container-id': {
        kind: 'state',
        says: 'gives in ContainerID the identifier of the container',
        source: shape,
        row: 'inspect',
        since: '1.23',
        needs: running,
      },
      'as-created': {
        kind: 'state',
        says: 'gives the command, the streams, the terminal and the rights that create asked for',
        source: shape,
        row: 'inspect',
        level: 'should',
        interpretations: ['exec-as-created'],
        needs: running,
      },
      'plain-text': {
        kind: 'header',
        says: 'sends Content-Type: plain/text',
        source: shape,
        row: 'inspect',
        until: '1.21',
        interpretations: ['plain-text'],
        needs: running,
      },
      'media-type': {
        kind: 'header',
        says: 'sends Content-Type: application/json',
        source: shape,
        row: 'inspect',
        since: '1.23',
        needs: running,
      },
      'running-state': {
        kind: 'state',
        says: 'has Running true while the command runs, and false when it has ended',
        source: states,
        row: 'states',
        needs: running,
      },
      'exit-code': {
        kind: 'state',
        says: 'gives in ExitCode the exit code of a command that has ended',
        source: states,
        row: 'states',
        interpretations: ['null-for-integer'],
        needs: running,
      },
      'exit-code-before-end': {
        until: '1.23',
        kind: 'format',
        says: 'has an integer in ExitCode before the command has ended',
        source: shape,
        row: 'inspect',
        level: 'should',
        interpretations: ['null-for-integer'],
        needs: running,
      },
    },
  ),
  ...fieldRules('exec.inspect', { endpoint: inspect, source: shape, row: 'inspect' }, execInspect),
};
