import { jsonBodyRule, pausable, running } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { bodyRules } from '../fields.ts';
import { execStartBody } from '../resources/exec.ts';
import { rules } from '../rule.ts';
import { framingRules, hijackedAnswers, streamed, upgradeHeaders, upgradeRules } from '../streams.ts';
import { execId, execIdRule, noSuchExec, pausedContainer, unknownExecRule } from './common.ts';

const source = [3, 'Exec start'] as const;

export const start = endpoint({
  id: 'exec.start',
  method: 'POST',
  path: '/exec/{id}/start',
  summary: 'runs the command of an exec instance',
  source,
  parameters: { id: execId, ...upgradeHeaders },
  body: { mediaType: 'application/json', required: true, schema: execStartBody },
  answers: {
    101: hijackedAnswers,
    200: streamed,
    404: noSuchExec,
    409: pausedContainer,
  },
});

export const startRules = {
  ...rules(
    'exec.start',
    { endpoint: start, source, row: 'Detach, Tty' },
    {
      'unknown-answers-404': { ...unknownExecRule, row: '200, 404, 409' },
      'paused-answers-409': {
        kind: 'state',
        says: 'answers 409 when the container is paused',
        source: [1, 'States and transitions'],
        row: 'exec start',
        since: '1.21',
        needs: pausable,
      },
      'exec-id': execIdRule,
      'media-type-200': {
        kind: 'header',
        says: 'sends Content-Type: application/vnd.engine.raw-stream with 200',
        row: '200, 404, 409',
        needs: running,
      },
      'json-media-type': { ...jsonBodyRule, needs: running },
      'runs-command': { kind: 'state', says: 'runs the command in the container', needs: running },
      'detach-true': {
        kind: 'parameter',
        says: 'answers while the command is still running when Detach is true',
        needs: running,
      },
      'detach-false': {
        kind: 'parameter',
        says: 'stays connected to the command until it ends when Detach is false',
        needs: running,
      },
      'tty-true': { kind: 'parameter', says: 'uses a terminal when Tty is true here and at create', needs: running },
      stdin: {
        kind: 'stream',
        says: 'passes what the client sends to the command',
        row: '200, 404, 409',
        needs: running,
      },
      again: {
        kind: 'observe',
        says: 'what it answers for an exec instance that has run',
        interpretations: ['listed-codes'],
        needs: running,
      },
      'missing-command': {
        kind: 'observe',
        says: 'what it answers for a command that does not exist',
        interpretations: ['listed-codes'],
        needs: running,
      },
      'detached-body': { kind: 'observe', says: 'which headers and body it sends when Detach is true', needs: running },
    },
  ),
  ...upgradeRules(start),
  ...framingRules(start),
  ...bodyRules('exec.start', { endpoint: start, source }, execStartBody),
};
