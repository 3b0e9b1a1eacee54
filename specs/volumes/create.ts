import { serverError } from '../common-answers.ts';
import { jsonBodyRule, running, serverErrorRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { bodyRules, fieldRules } from '../fields.ts';
import { volume, volumeCreateBody } from '../resources/volume.ts';
import { rules } from '../rule.ts';

const source = [3, 'Volumes'] as const;

export const create = endpoint({
  id: 'volumes.create',
  since: '1.21',
  method: 'POST',
  path: '/volumes/create',
  summary: 'creates a volume',
  source,
  parameters: {},
  body: { mediaType: 'application/json', required: true, schema: volumeCreateBody },
  answers: { 201: { says: 'the volume', body: 'object', schema: volume }, 500: serverError },
});

export const createRules = {
  ...rules(
    'volumes.create',
    { endpoint: create, source, row: 'POST /volumes/create' },
    {
      'answers-201': { kind: 'status', says: 'answers 201 when it creates a volume' },
      'server-error-500': serverErrorRule,
      'json-media-type': jsonBodyRule,
      'name-generated': { kind: 'field', says: 'generates a name when Name is missing' },
      'driver-default-local': { kind: 'field', says: 'uses the driver local when Driver is missing' },
      'driver-options': {
        kind: 'field',
        says: 'gives the driver the options in DriverOpts',
        interpretations: ['volume-options'],
        needs: running,
      },
      'usable-by-name': { kind: 'state', says: 'leaves a volume that the other endpoints find by its name' },
      'unknown-driver': {
        kind: 'observe',
        says: 'what it answers to a driver that does not exist',
        interpretations: ['listed-codes'],
      },
      'name-taken': {
        kind: 'observe',
        says: 'what it answers when there is a volume of that name',
        interpretations: ['listed-codes'],
      },
    },
  ),
  ...bodyRules('volumes.create', { endpoint: create, source, row: 'POST /volumes/create' }, volumeCreateBody),
  ...fieldRules('volumes.create', { endpoint: create, source: [1, 'Volume'], row: 'fields' }, volume),
};
