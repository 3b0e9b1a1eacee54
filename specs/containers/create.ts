import { serverError } from '../common-answers.ts';
import { jsonBodyRule, serverErrorRule } from '../common-rules.ts';
import { wholeSection } from '../document-rows/row.ts';
import { endpoint } from '../endpoint.ts';
import { bodyRules, fieldRules } from '../fields.ts';
import { containerCreateBody, containerCreated } from '../resources/container.ts';
import { rules } from '../rule.ts';
import { badParameter, containerName } from './common.ts';
import { createConfigRules } from './create-config.ts';
import { createHostConfigRules } from './create-host-config.ts';
import { createLimitRules } from './create-limits.ts';
import { createMountRules } from './create-mounts.ts';
import { createNetworkingRules } from './create-networking.ts';
import { createResourceRules } from './create-resources.ts';

const source = [2, 'Create a container'] as const;
const conventions = [1, 'Conventions used by all endpoints'] as const;

export const create = endpoint({
  id: 'containers.create',
  method: 'POST',
  path: '/containers/create',
  summary: 'creates a container',
  source,
  parameters: {
    name: containerName,
    platform: {
      in: 'query',
      schema: { type: 'string' },
      says: 'the platform of the image, as <os>/<architecture>',
      since: '1.41',
    },
  },
  body: { mediaType: 'application/json', required: true, schema: containerCreateBody },
  answers: {
    201: { says: 'the container is created', body: 'object', schema: containerCreated },
    400: badParameter,
    404: { says: 'the image is missing, or another container that is named', body: 'text' },
    406: { says: 'attaching is impossible, as the container does not run', body: 'text' },
    409: { says: 'a conflict', body: 'text' },
    500: serverError,
  },
});

export const createRules = {
  ...rules(
    'containers.create',
    { endpoint: create, source, row: '201, 400, 404, 406, 409, 500' },
    {
      'answers-201': { kind: 'status', says: 'answers 201 when it creates a container', row: '201' },
      'bad-parameter-refused': {
        kind: 'status',
        says: 'refuses a body that is not a JSON object',
        row: 'body',
        interpretations: ['bad-parameter'],
      },
      'missing-image-404': { kind: 'status', says: 'answers 404 when the image is missing' },
      'after-pull': {
        kind: 'status',
        says: 'creates a container from an image that was missing, once it is pulled',
        source: [1, 'Typical client flow for running a container'],
        row: '2',
        needs: ['registry'],
      },
      'platform-404': {
        kind: 'parameter',
        says: 'answers 404 when the image is for another platform than the one in platform',
        source: [4, 'Containers'],
        since: '1.41',
      },
      'platform-ignored': {
        kind: 'parameter',
        says: 'ignores platform',
        source: [4, 'Containers'],
        since: '1.24',
        until: '1.40',
      },
      'missing-container-404': {
        kind: 'status',
        says: 'answers 404 when a container that the body names is missing',
        interpretations: ['listed-codes'],
      },
      'attach-not-running-406': {
        kind: 'observe',
        says: 'whether it answers 406 when attaching is asked for',
        source: [1, 'States and transitions'],
        row: 'create',
        interpretations: ['create-406'],
      },
      'name-taken-409': {
        kind: 'status',
        says: 'answers 409 when the name is taken',
        source: [1, 'Errors'],
        row: '409',
      },
      'server-error-500': serverErrorRule,
      name: { kind: 'parameter', says: 'gives the container the name in name', row: 'name' },
      'name-generated': {
        kind: 'observe',
        says: 'which name a container gets when none is asked for',
        row: 'name',
      },
      'json-media-type': jsonBodyRule,
      'other-media-type': {
        kind: 'observe',
        says: 'what it answers to a body with another Content-Type',
        source: conventions,
        row: 'request bodies',
      },
      'id-works': {
        kind: 'format',
        says: 'gives the identifier by which the other endpoints find the container',
        row: '201',
      },
      'created-state': {
        kind: 'state',
        says: 'leaves the container not running',
        source: [1, 'States and transitions'],
        row: 'states',
      },
      'wrong-type-refused': {
        kind: 'format',
        says: 'refuses a field of the wrong type',
        source: [1, 'Container configuration'],
        row: wholeSection,
        level: 'should',
        interpretations: ['wrong-types', 'bad-parameter'],
      },
      'unknown-field': {
        kind: 'observe',
        says: 'what it answers to a field that the documents do not name',
        row: 'body',
      },
    },
  ),
  ...createConfigRules(create),
  ...createMountRules(create),
  ...createResourceRules(create),
  ...createNetworkingRules(create),
  ...createHostConfigRules(create),
  ...createLimitRules(create),
  ...bodyRules('containers.create', { endpoint: create, source: [1, 'Container configuration'] }, containerCreateBody),
  ...fieldRules(
    'containers.create',
    { endpoint: create, source: [1, 'Other container-related shapes'], row: 'create response' },
    containerCreated,
  ),
};
