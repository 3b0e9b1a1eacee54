import { containerIdRule, noMediaTypeLater, running, unknownContainerRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { windowSize } from '../parameters.ts';
import { rules } from '../rule.ts';
import { firstCarried } from '../versions.ts';
import { containerId, noSuchContainer } from './common.ts';

const source = [2, 'Resize a container TTY'] as const;

export const resize = endpoint({
  id: 'containers.resize',
  method: 'POST',
  path: '/containers/{id}/resize',
  summary: 'changes the size of the terminal of a container',
  source,
  parameters: { id: containerId, ...windowSize },
  answers: {
    200: {
      says: 'the size is set',
      body: 'empty',
      mediaType: 'text/plain; charset=utf-8',
      headers: { 'Content-Length': { type: 'string', enum: ['0'] } },
    },
    404: noSuchContainer,
    409: { says: 'the container does not run', body: 'text', since: firstCarried },
    500: { says: 'the container cannot be resized', body: 'text' },
  },
});

export const resizeRules = rules(
  'containers.resize',
  { endpoint: resize, source, row: '200, 404, 500' },
  {
    'answers-200': {
      kind: 'status',
      says: 'answers 200 for a container with a TTY',
      needs: running,
    },
    'unknown-answers-404': unknownContainerRule,
    'cannot-resize-500': {
      kind: 'status',
      says: 'answers 500 when it cannot resize an existing container',
      level: 'should',
      interpretations: ['listed-codes'],
      later: { since: firstCarried, says: 'answers 409', statuses: { 500: [409] } },
      needs: running,
    },
    'id-or-name': { ...containerIdRule, needs: running },
    'empty-body': { kind: 'format', says: 'sends no body', needs: running },
    'content-length-0': { kind: 'header', says: 'sends Content-Length: 0', needs: running },
    'media-type': {
      ...noMediaTypeLater,
      kind: 'header',
      says: 'sends Content-Type: text/plain; charset=utf-8',
      needs: running,
    },
    h: {
      until: '1.23',
      kind: 'parameter',
      says: 'sets the terminal to h lines, at the latest after a restart',
      row: 'h, w',
      interpretations: ['resize-restart'],
      needs: running,
    },
    w: {
      until: '1.23',
      kind: 'parameter',
      says: 'sets the terminal to w columns, at the latest after a restart',
      row: 'h, w',
      interpretations: ['resize-restart'],
      needs: running,
    },
    'effect-before-restart': {
      kind: 'observe',
      says: 'whether the size is in effect before the container is restarted',
      source: [1, 'States and transitions'],
      row: 'container resize',
      interpretations: ['resize-restart'],
      needs: running,
    },
    'without-tty': {
      kind: 'observe',
      says: 'what it answers for a container without a TTY',
      row: 'h, w',
      interpretations: ['listed-codes'],
      needs: running,
    },
  },
);
