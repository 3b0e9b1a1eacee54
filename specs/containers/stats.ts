import { serverError } from '../common-answers.ts';
import { containerIdRule, running, serverErrorRule, unknownContainerRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { fieldRules } from '../fields.ts';
import { flagOn, flagRules } from '../parameters.ts';
import { containerStats } from '../resources/stats.ts';
import { rules } from '../rule.ts';
import { containerId, noSuchContainer } from './common.ts';

const source = [2, 'Get container stats'] as const;
const shape = [1, 'Other container-related shapes'] as const;

export const stats = endpoint({
  id: 'containers.stats',
  method: 'GET',
  path: '/containers/{id}/stats',
  summary: 'measures what a container uses',
  source,
  parameters: {
    id: containerId,
    stream: { in: 'query', schema: flagOn, says: 'measures again and again' },
  },
  answers: {
    200: { says: 'the measurements', body: 'objects', mediaType: 'application/json', schema: containerStats },
    404: noSuchContainer,
    500: serverError,
  },
});

export const statsRules = {
  ...rules(
    'containers.stats',
    { endpoint: stats, source, row: '200, 404, 500' },
    {
      'answers-200': {
        kind: 'status',
        says: 'answers 200 for a running container',
        needs: running,
      },
      'unknown-answers-404': unknownContainerRule,
      'server-error-500': serverErrorRule,
      'id-or-name': { ...containerIdRule, needs: running },
      'media-type': {
        kind: 'header',
        says: 'sends Content-Type: application/json',
        needs: running,
      },
      'objects-in-a-row': {
        kind: 'stream',
        says: 'sends JSON objects one after another',
        source: [1, 'Conventions used by all endpoints'],
        row: 'streaming responses',
        needs: running,
      },
      'stream-default-true': {
        kind: 'limit',
        says: 'sends object after object when stream is not set',
        source: [1, 'Limits'],
        row: 'stream',
        needs: running,
      },
      'stream-false': {
        kind: 'parameter',
        says: 'sends one object and ends when stream is false',
        row: 'stream',
        needs: running,
      },
      'no-network': {
        kind: 'version',
        says: 'has networks instead of network',
        source: shape,
        row: 'stats',
        since: '1.21',
        needs: ['containers-run', 'networking'],
      },
      'networks-by-interface': {
        kind: 'format',
        says: 'names each interface of the container in networks',
        source: shape,
        row: 'stats',
        since: '1.21',
        needs: ['containers-run', 'networking'],
      },
      'precpu-previous': {
        kind: 'format',
        says: 'repeats in precpu_stats the cpu_stats of the previous object',
        source: shape,
        row: 'stats',
        interpretations: ['precpu-first'],
        needs: running,
      },
      'not-running': {
        kind: 'observe',
        says: 'what it sends for a container that is not running',
        interpretations: ['listed-codes'],
      },
    },
  ),
  ...flagRules(stats),
  ...fieldRules('containers.stats', { endpoint: stats, source: shape, row: 'stats' }, containerStats),
};
