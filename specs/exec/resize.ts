import { noMediaTypeLater, running } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { windowSize } from '../parameters.ts';
import { rules } from '../rule.ts';
import { firstCarried } from '../versions.ts';
import { execId, execIdRule, noSuchExec, unknownExecRule } from './common.ts';

const source = [3, 'Exec resize'] as const;

export const resize = endpoint({
  id: 'exec.resize',
  method: 'POST',
  path: '/exec/{id}/resize',
  summary: 'changes the size of the terminal of a command',
  source,
  parameters: { id: execId, ...windowSize },
  answers: {
    200: { says: 'the size is set', body: 'empty', since: firstCarried },
    201: { says: 'the size is set', body: 'empty', mediaType: 'text/plain' },
    404: noSuchExec,
  },
});

export const resizeRules = rules(
  'exec.resize',
  { endpoint: resize, source, row: 'h, w, 201, 404' },
  {
    'answers-201': {
      kind: 'status',
      says: 'answers 201 for a command with a terminal',
      later: { since: firstCarried, says: 'answers 200', statuses: { 201: [200] } },
      needs: running,
    },
    'unknown-answers-404': unknownExecRule,
    'exec-id': execIdRule,
    'empty-body': { kind: 'format', says: 'sends no body', needs: running },
    'media-type': {
      ...noMediaTypeLater,
      kind: 'header',
      says: 'sends Content-Type: text/plain',
      interpretations: ['header-case'],
      needs: running,
    },
    h: { kind: 'parameter', says: 'sets the terminal to h lines', needs: running },
    w: {
      kind: 'parameter',
      says: 'sets the terminal to w columns',
      needs: running,
    },
    'without-tty': {
      kind: 'state',
      says: 'refuses an exec instance without a terminal',
      source: [1, 'States and transitions'],
      row: 'exec resize',
      interpretations: ['listed-codes', 'bad-parameter'],
      needs: running,
    },
  },
);
