import { serverError } from '../common-answers.ts';
import { containerIdRule, pausable, running, serverErrorRule, unknownContainerRule } from '../common-rules.ts';
import { endpoint, type Parameter } from '../endpoint.ts';
import { detachKeys, flagOff, flagRules } from '../parameters.ts';
import { rules } from '../rule.ts';
import { framingRules, hijackedAnswers, streamed, upgradeHeaders, upgradeRules } from '../streams.ts';
import { badParameter, containerId, noSuchContainer } from './common.ts';

const source = [2, 'Attach to a container'] as const;
const limits = [1, 'Limits'] as const;

/** The query of attach, with and without a websocket. */
export const attachQuery = {
  detachKeys,
  logs: { in: 'query', schema: flagOff, says: 'with what was written before' },
  stream: { in: 'query', schema: flagOff, says: 'with what is written from now on' },
  stdin: { in: 'query', schema: flagOff, says: 'with stdin' },
  stdout: { in: 'query', schema: flagOff, says: 'with stdout' },
  stderr: { in: 'query', schema: flagOff, says: 'with stderr' },
} as const satisfies Record<string, Parameter>;

export const attach = endpoint({
  id: 'containers.attach',
  method: 'POST',
  path: '/containers/{id}/attach',
  summary: 'connects to the streams of a container',
  source,
  parameters: { id: containerId, ...upgradeHeaders, ...attachQuery },
  answers: {
    101: hijackedAnswers,
    200: streamed,
    400: badParameter,
    404: noSuchContainer,
    409: { says: 'the container is paused', body: 'text', since: '1.23' },
    500: serverError,
  },
});

export const attachRules = {
  ...rules(
    'containers.attach',
    { endpoint: attach, source, row: '101, 200, 400, 404, 409, 500' },
    {
      'bad-parameter-400': {
        kind: 'status',
        says: 'answers 400 to malformed detachKeys',
        source: [1, 'Limits'],
        row: 'detachKeys',
        interpretations: ['bad-parameter'],
        since: '1.23',
        needs: running,
      },
      'unknown-answers-404': unknownContainerRule,
      'paused-answers-409': {
        kind: 'state',
        says: 'answers 409 when the container is paused',
        source: [1, 'States and transitions'],
        row: 'attach',
        since: '1.23',
        needs: pausable,
      },
      'server-error-500': serverErrorRule,
      'id-or-name': { ...containerIdRule, needs: running },
      detachKeys: {
        kind: 'parameter',
        says: 'ends the session, and not the container, when the client sends the keys in detachKeys',
        row: 'detachKeys',
        since: '1.23',
        needs: running,
      },
      'detachKeys-letter': {
        kind: 'limit',
        says: 'accepts a single letter in detachKeys',
        source: limits,
        row: 'detachKeys',
        since: '1.23',
        needs: running,
      },
      'detachKeys-ctrl': {
        kind: 'limit',
        says: 'accepts ctrl- with a lower-case letter or one of @ ^ [ , _ in detachKeys',
        source: limits,
        row: 'detachKeys',
        since: '1.23',
        needs: running,
      },
      'logs-stdout': {
        kind: 'parameter',
        says: 'sends earlier output to stdout when logs and stdout are true',
        row: 'stdout',
        needs: running,
      },
      'logs-stderr': {
        kind: 'parameter',
        says: 'sends earlier output to stderr when logs and stderr are true',
        row: 'stderr',
        needs: running,
      },
      'logs-default-false': {
        kind: 'parameter',
        says: 'sends no earlier output when logs is not set',
        row: 'logs',
        needs: running,
      },
      'logs-then-stream': {
        kind: 'parameter',
        says: 'sends the output from the start and then new output when logs and stream are true',
        source: [1, 'Typical client flow for running a container'],
        row: '4',
        needs: running,
      },
      'stream-stdout': {
        kind: 'parameter',
        says: 'sends new output to stdout when stream and stdout are true',
        row: 'stdout',
        needs: running,
      },
      'stream-stderr': {
        kind: 'parameter',
        says: 'sends new output to stderr when stream and stderr are true',
        row: 'stderr',
        needs: running,
      },
      'stream-stdin': {
        kind: 'parameter',
        says: 'passes what the client sends to the process when stream and stdin are true',
        row: 'stdin',
        needs: running,
      },
      'stream-default-false': {
        kind: 'parameter',
        says: 'sends no new output when stream is not set',
        row: 'stream',
        needs: running,
      },
      'stdin-default-false': {
        kind: 'parameter',
        says: 'passes nothing that the client sends to the process when stdin is not set',
        row: 'stdin',
        needs: running,
      },
      'stdin-without-stream': {
        kind: 'parameter',
        says: 'passes nothing that the client sends to the process when stream is not set, even with stdin',
        row: 'stdin',
        level: 'should',
        interpretations: ['stdin-without-stream'],
        needs: running,
      },
      'stdout-default-false': {
        kind: 'parameter',
        says: 'sends no stdout when stdout is not set',
        row: 'stdout',
        needs: running,
      },
      'stderr-default-false': {
        kind: 'parameter',
        says: 'sends no stderr when stderr is not set',
        row: 'stderr',
        needs: running,
      },
      'media-type-200': {
        kind: 'header',
        says: 'sends Content-Type: application/vnd.engine.raw-stream with 200',
        source: [2, 'Stream framing'],
        row: '1',
        level: 'should',
        interpretations: ['attach-200-media-type'],
        needs: running,
      },
      'several-clients': {
        kind: 'stream',
        says: 'carries every byte to each of several clients that are attached at once',
        row: 'stream',
        level: 'should',
        interpretations: ['many-clients'],
        needs: running,
      },
      'slow-client': {
        kind: 'stream',
        says: 'carries every byte to a client that reads slowly',
        source: [2, 'Stream framing'],
        row: '4',
        needs: running,
      },
      'gone-client': {
        kind: 'observe',
        says: 'what happens to the process and to other clients when a client disconnects',
        row: 'stream',
        needs: running,
      },
      'half-close': {
        kind: 'observe',
        says: 'whether the output goes on when the client closes its sending half',
        row: 'stdin',
        needs: running,
      },
      'not-running': {
        kind: 'observe',
        says: 'what it answers for a container that is not running',
        interpretations: ['listed-codes'],
      },
      'no-streams': {
        kind: 'observe',
        says: 'what it answers when neither logs nor stream is set',
        row: 'logs',
        needs: running,
      },
    },
  ),
  ...upgradeRules(attach),
  ...framingRules(attach),
  ...flagRules(attach),
};
