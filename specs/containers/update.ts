import { serverError } from '../common-answers.ts';
import { containerIdRule, jsonBodyRule, running, serverErrorRule, unknownContainerRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { bodyRules, fieldRules } from '../fields.ts';
import { containerUpdateBody, containerUpdated } from '../resources/container-operations.ts';
import { rules } from '../rule.ts';
import { badParameter, containerId, noSuchContainer } from './common.ts';

const source = [2, 'Update a container'] as const;

export const update = endpoint({
  id: 'containers.update',
  since: '1.23',
  method: 'POST',
  path: '/containers/{id}/update',
  summary: 'changes what the host gives a container',
  source,
  parameters: { id: containerId },
  body: { mediaType: 'application/json', required: true, schema: containerUpdateBody },
  answers: {
    200: { says: 'the container is changed', body: 'object', schema: containerUpdated },
    400: badParameter,
    404: noSuchContainer,
    500: serverError,
  },
});

export const updateRules = {
  ...rules(
    'containers.update',
    { endpoint: update, source, row: 'body' },
    {
      'answers-200': { kind: 'status', says: 'answers 200 when it changes a container', row: '200, 400, 404, 500' },
      'bad-parameter-refused': {
        kind: 'status',
        says: 'refuses a body that is not a JSON object',
        interpretations: ['bad-parameter'],
      },
      'unknown-answers-404': { ...unknownContainerRule, row: '200, 400, 404, 500' },
      'server-error-500': { ...serverErrorRule, row: '200, 400, 404, 500' },
      'id-or-name': containerIdRule,
      'json-media-type': jsonBodyRule,
      'others-kept': {
        kind: 'state',
        says: 'leaves unchanged what the body does not name',
        interpretations: ['host-limits'],
      },
      'while-running': {
        kind: 'state',
        says: 'changes a running container',
        needs: running,
        interpretations: ['host-limits'],
      },
      'in-force': {
        kind: 'state',
        says: 'applies a limit to a running container, as its control group shows',
        level: 'should',
        interpretations: ['update-at-once', 'host-limits'],
        needs: running,
      },
      'restart-policy-followed': {
        kind: 'state',
        says: 'applies the new RestartPolicy when the container exits',
        needs: running,
      },
      'BlkioWeight-refused': {
        kind: 'limit',
        says: 'refuses a BlkioWeight below 10 or above 1000',
        interpretations: ['blkio-host', 'bad-parameter'],
      },
      'RestartPolicy-unknown-refused': {
        kind: 'field',
        says: 'refuses a restart policy that does not exist',
        level: 'should',
        interpretations: ['unknown-restart-policy', 'bad-parameter'],
      },
      'MemorySwap-smaller-refused': {
        kind: 'limit',
        says: 'refuses a MemorySwap that is smaller than Memory',
        interpretations: ['memoryswap', 'bad-parameter', 'host-limits'],
      },
      'MemorySwap-alone-refused': {
        kind: 'limit',
        says: 'refuses a MemorySwap without Memory for a container that has none',
        interpretations: ['bad-parameter', 'host-limits'],
      },
      'MemorySwap-left-behind': {
        kind: 'limit',
        says: 'leaves no container with a Memory above its MemorySwap when a body has Memory alone',
        level: 'should',
        interpretations: ['swap-left-behind', 'memoryswap'],
      },
      'KernelMemory-ignored': {
        kind: 'field',
        says: 'ignores KernelMemory, whatever its value',
        source: [4, 'Containers'],
        since: '1.42',
      },
      'MemorySwap-unlimited': {
        kind: 'limit',
        says: 'accepts a MemorySwap of -1 with Memory',
        interpretations: ['host-limits'],
      },
    },
  ),
  ...bodyRules('containers.update', { endpoint: update, source, row: 'body' }, containerUpdateBody),
  ...fieldRules(
    'containers.update',
    { endpoint: update, source: [1, 'Other container-related shapes'], row: 'update response' },
    containerUpdated,
  ),
};
