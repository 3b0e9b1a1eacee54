import { serverError } from '../common-answers.ts';
import { containerIdRule, running, serverErrorRule, unknownContainerRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { flagRules } from '../parameters.ts';
import { rules } from '../rule.ts';
import { newestDocumented } from '../versions.ts';
import { attachQuery } from './attach.ts';
import { badParameter, containerId, noSuchContainer } from './common.ts';

const source = [2, 'Attach to a container over websocket'] as const;

export const attachWs = endpoint({
  id: 'containers.attach-ws',
  method: 'GET',
  path: '/containers/{id}/attach/ws',
  summary: 'connects to the streams of a container over a websocket',
  source,
  parameters: { id: containerId, ...attachQuery },
  answers: {
    101: { says: 'the connection is a websocket', body: 'websocket' },
    400: badParameter,
    404: noSuchContainer,
    500: serverError,
  },
});

/** Daemons attach all streams below this version (Document 4, Containers). */
const selecting = { source: [4, 'Containers'], since: '1.42', needs: running } as const;

const spellings = flagRules(attachWs);

export const attachWsRules = {
  ...rules(
    'containers.attach-ws',
    { endpoint: attachWs, source, row: 'handshake, query' },
    {
      handshake: {
        kind: 'stream',
        says: 'opens a websocket with 101 as RFC 6455 says',
        interpretations: ['ws-101'],
        needs: running,
      },
      'accept-key': {
        kind: 'header',
        says: 'sends the Sec-WebSocket-Accept that matches the key of the client',
        interpretations: ['ws-101'],
        needs: running,
      },
      'no-handshake-refused': {
        kind: 'status',
        says: 'refuses a request that is not a websocket handshake',
        interpretations: ['bad-parameter'],
        needs: running,
      },
      'unknown-answers-404': { ...unknownContainerRule, row: '200, 400, 404, 500' },
      'bad-parameter-400': {
        kind: 'status',
        says: 'answers 400 to malformed detachKeys',
        source: [1, 'Limits'],
        row: 'detachKeys',
        interpretations: ['bad-parameter'],
        since: '1.23',
        needs: running,
      },
      'server-error-500': { ...serverErrorRule, row: '200, 400, 404, 500' },
      'id-or-name': { ...containerIdRule, needs: running },
      detachKeys: {
        kind: 'parameter',
        says: 'ends the session, and not the container, when the client sends the keys in detachKeys',
        since: '1.23',
        needs: running,
      },
      logs: {
        kind: 'parameter',
        says: 'sends earlier output when logs is true, and none of it when logs is not set',
        needs: running,
      },
      stream: {
        kind: 'parameter',
        says: 'sends new output when stream is true, and none of it when stream is not set',
        needs: running,
      },
      stdin: {
        kind: 'parameter',
        says: 'passes what the client sends to the process when stream and stdin are true',
        needs: running,
      },
      'stdin-default-false': {
        kind: 'parameter',
        until: '1.23',
        says: 'passes nothing that the client sends to the process when stdin is not set',
        needs: running,
      },
      'stdin-without-stream': {
        kind: 'parameter',
        until: '1.23',
        says: 'passes nothing that the client sends to the process when stream is not set, even with stdin',
        level: 'should',
        interpretations: ['stdin-without-stream'],
        needs: running,
      },
      stdout: {
        kind: 'parameter',
        until: '1.23',
        says: 'sends stdout when stdout is true, and none when it is not set',
        needs: running,
      },
      stderr: {
        kind: 'parameter',
        until: '1.23',
        says: 'sends stderr when stderr is true, and none when it is not set',
        needs: running,
      },
      'text-messages': {
        kind: 'stream',
        says: 'sends text messages',
        source: [4, 'Containers'],
        since: '1.24',
        until: '1.27',
        needs: running,
      },
      'binary-messages': {
        kind: 'stream',
        says: 'sends binary messages',
        source: [4, 'Containers'],
        since: '1.28',
        needs: running,
      },
      'selects-stdin': {
        kind: 'parameter',
        says: 'passes what the client sends to the process when stdin is true, and nothing when it is not set',
        ...selecting,
      },
      'selects-stdout': {
        kind: 'parameter',
        says: 'sends stdout when stdout is true, and none when it is not set',
        ...selecting,
      },
      'selects-stderr': {
        kind: 'parameter',
        says: 'sends stderr when stderr is true, and none when it is not set',
        ...selecting,
      },
      'message-type': {
        kind: 'observe',
        says: 'whether it sends text or binary messages, and whether they carry frame headers',
        needs: running,
      },
    },
  ),
  ...spellings,
  // Daemons attach all streams until 1.42 (Document 4, Containers).
  'containers.attach-ws.stdin-spellings': {
    ...spellings['containers.attach-ws.stdin-spellings'],
    until: newestDocumented,
  },
  'containers.attach-ws.stdout-spellings': {
    ...spellings['containers.attach-ws.stdout-spellings'],
    until: newestDocumented,
  },
  'containers.attach-ws.stderr-spellings': {
    ...spellings['containers.attach-ws.stderr-spellings'],
    until: newestDocumented,
  },
};
