import { serverError } from '../common-answers.ts';
import { containerIdRule, running, serverErrorRule, unknownContainerRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { flagOff, flagRules } from '../parameters.ts';
import { rules } from '../rule.ts';
import { framingRules, hijacked, streamed, upgradeHeaders, upgradeRules } from '../streams.ts';
import { containerId, noSuchContainer } from './common.ts';

const source = [2, 'Get container logs'] as const;
const limits = [1, 'Limits'] as const;

export const logs = endpoint({
  id: 'containers.logs',
  method: 'GET',
  path: '/containers/{id}/logs',
  summary: 'gives what the container has written',
  source,
  parameters: {
    id: containerId,
    ...upgradeHeaders,
    follow: { in: 'query', schema: flagOff, says: 'goes on with what the container writes from now on' },
    stdout: { in: 'query', schema: flagOff, says: 'with stdout' },
    stderr: { in: 'query', schema: flagOff, says: 'with stderr' },
    since: {
      in: 'query',
      schema: { type: 'integer', default: 0 },
      says: 'UNIX seconds; only what was written since then, 0 for all',
    },
    timestamps: { in: 'query', schema: flagOff, says: 'with the time before each line' },
    tail: {
      in: 'query',
      schema: { type: 'string', pattern: '^(all|[0-9]+)$', default: 'all' },
      says: 'the number of lines from the end, or all',
    },
  },
  answers: {
    101: hijacked,
    200: { says: streamed.says, body: streamed.body },
    404: noSuchContainer,
    500: serverError,
  },
});

export const logsRules = {
  ...rules(
    'containers.logs',
    { endpoint: logs, source },
    {
      'unknown-answers-404': { ...unknownContainerRule, row: '101, 200, 404, 500' },
      'server-error-500': { ...serverErrorRule, row: '101, 200, 404, 500' },
      'id-or-name': { ...containerIdRule, needs: running },
      'driver-json-file': {
        kind: 'state',
        says: 'gives the log of a container with the json-file logging driver',
        row: 'drivers',
        needs: running,
      },
      'driver-journald': {
        kind: 'state',
        says: 'gives the log of a container with the journald logging driver',
        row: 'drivers',
        needs: ['containers-run', 'journald'],
      },
      'other-drivers': {
        until: '1.23',
        kind: 'state',
        says: 'gives no log of a container with another logging driver',
        row: 'drivers',
        needs: running,
      },
      'follow-true': {
        kind: 'parameter',
        says: 'goes on with what the container writes until it stops when follow is true',
        row: 'follow, stdout, stderr, since, timestamps, tail',
        needs: running,
      },
      'follow-default-false': {
        kind: 'parameter',
        says: 'ends with what was written so far when follow is not set',
        row: 'follow, stdout, stderr, since, timestamps, tail',
        needs: running,
      },
      'follow-tail': {
        kind: 'parameter',
        says: 'begins with the last lines, as many as tail says, and goes on with new ones when follow is true',
        row: 'follow, stdout, stderr, since, timestamps, tail',
        needs: running,
      },
      'follow-timestamps': {
        kind: 'parameter',
        says: 'puts a time before each line, also of those written later, when follow and timestamps are true',
        row: 'follow, stdout, stderr, since, timestamps, tail',
        needs: running,
      },
      'follow-since': {
        kind: 'parameter',
        says: 'leaves out lines written before since when follow is true, too',
        row: 'follow, stdout, stderr, since, timestamps, tail',
        needs: running,
      },
      'stdout-true': {
        kind: 'parameter',
        says: 'sends stdout when stdout is true',
        row: 'follow, stdout, stderr, since, timestamps, tail',
        needs: running,
      },
      'stdout-default-false': {
        kind: 'parameter',
        says: 'sends no stdout when stdout is not set',
        row: 'follow, stdout, stderr, since, timestamps, tail',
        needs: running,
      },
      'stderr-true': {
        kind: 'parameter',
        says: 'sends stderr when stderr is true',
        row: 'follow, stdout, stderr, since, timestamps, tail',
        needs: running,
      },
      'stderr-default-false': {
        kind: 'parameter',
        says: 'sends no stderr when stderr is not set',
        row: 'follow, stdout, stderr, since, timestamps, tail',
        needs: running,
      },
      since: {
        kind: 'parameter',
        says: 'sends only lines written at or after since',
        row: 'follow, stdout, stderr, since, timestamps, tail',
        needs: running,
      },
      'since-default-0': {
        kind: 'limit',
        says: 'sends every line when since is not set',
        source: limits,
        row: 'since, tail',
        needs: running,
      },
      'since-0': {
        kind: 'parameter',
        says: 'sends every line when since is 0',
        row: 'follow, stdout, stderr, since, timestamps, tail',
        needs: running,
      },
      'timestamps-true': {
        kind: 'parameter',
        says: 'puts a time before each line when timestamps is true',
        row: 'follow, stdout, stderr, since, timestamps, tail',
        needs: running,
      },
      'timestamps-parts': {
        kind: 'parameter',
        says: 'puts no time into a line that was written in parts when timestamps is true',
        level: 'should',
        interpretations: ['log-lines'],
        row: 'follow, stdout, stderr, since, timestamps, tail',
        needs: running,
      },
      'timestamps-default-false': {
        kind: 'parameter',
        says: 'puts no times before the lines when timestamps is not set',
        row: 'follow, stdout, stderr, since, timestamps, tail',
        needs: running,
      },
      'tail-number': {
        kind: 'parameter',
        says: 'sends only the last lines, as many as tail says',
        row: 'follow, stdout, stderr, since, timestamps, tail',
        needs: running,
      },
      'tail-parts': {
        kind: 'parameter',
        says: 'counts a line that was written in parts as one for tail',
        level: 'should',
        interpretations: ['log-lines'],
        row: 'follow, stdout, stderr, since, timestamps, tail',
        needs: running,
      },
      'tail-all': {
        kind: 'parameter',
        says: 'sends every line when tail is all',
        row: 'follow, stdout, stderr, since, timestamps, tail',
        needs: running,
      },
      'tail-default-all': {
        kind: 'limit',
        says: 'sends every line when tail is not set',
        source: limits,
        row: 'since, tail',
        needs: running,
      },
      'no-streams': {
        kind: 'observe',
        says: 'what it answers when neither stdout nor stderr is asked for',
        row: 'follow, stdout, stderr, since, timestamps, tail',
        needs: running,
      },
      'bad-tail': {
        kind: 'observe',
        says: 'what it answers to a tail that is neither all nor a number',
        row: 'follow, stdout, stderr, since, timestamps, tail',
        interpretations: ['listed-codes'],
        needs: running,
      },
      'media-type-200': {
        kind: 'observe',
        says: 'which Content-Type it sends with 200',
        row: '101, 200, 404, 500',
        interpretations: ['logs-101'],
        needs: running,
      },
    },
  ),
  ...upgradeRules(logs),
  ...framingRules(logs),
  ...flagRules(logs),
};
