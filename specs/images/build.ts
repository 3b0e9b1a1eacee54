import { serverError } from '../common-answers.ts';
import { errorDetailLater, serverErrorRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { fieldRules } from '../fields.ts';
import { flagRules } from '../parameters.ts';
import { registryConfigHeader } from '../resources/auth.ts';
import { buildObject } from '../resources/progress.ts';
import { rules } from '../rule.ts';
import { buildParameters } from './build-parameters.ts';
import { buildContextRules, buildParameterRules } from './build-rules.ts';
import { progressStreamRules } from './common.ts';

const source = [3, 'Build an image'] as const;
const credentials = [1, 'Registry credentials carried by the engine API'] as const;

export const build = endpoint({
  id: 'images.build',
  method: 'POST',
  path: '/build',
  summary: 'builds an image',
  source,
  parameters: {
    ...buildParameters,
    'Content-type': {
      in: 'header',
      schema: { type: 'string', enum: ['application/x-tar'] },
      says: 'what the body is',
    },
    'X-Registry-Config': {
      in: 'header',
      schema: registryConfigHeader,
      says: 'the credentials for registries of base images',
    },
  },
  body: { mediaType: 'application/x-tar', required: false },
  answers: {
    200: { says: 'the output of the build', body: 'objects', mediaType: 'application/json', schema: buildObject },
    500: serverError,
  },
});

const flags = flagRules(build);

export const buildRules = {
  ...rules(
    'images.build',
    { endpoint: build, source, row: '200' },
    {
      ...progressStreamRules,
      'answers-200': { kind: 'status', says: 'answers 200 when it builds an image', row: '200' },
      'server-error-500': { ...serverErrorRule, row: '200, 500' },
      'makes-image': { kind: 'state', says: 'leaves an image when the build has ended', row: 'steps' },
      'syntax-first': {
        kind: 'state',
        says: 'refuses a build file with wrong syntax before any instruction is run',
        row: 'steps',
        interpretations: ['build-errors'],
      },
      'in-order': { kind: 'state', says: 'runs the instructions one after another', row: 'steps' },
      'gives-id': {
        kind: 'format',
        says: 'gives the identifier of the image at the end',
        row: 'steps',
        level: 'should',
        interpretations: ['build-id-format'],
      },
      aux: {
        kind: 'stream',
        says: 'gives the identifier of the image in the ID of an object with aux, before its last lines of text',
        source: [4, 'Images'],
        since: '1.30',
      },
      'aux-quiet': {
        kind: 'stream',
        says: 'sends no object with aux when q is true',
        source: [4, 'Images'],
        since: '1.30',
      },
      'id-format': {
        kind: 'observe',
        says: 'how it writes the identifier of the image',
        row: 'steps',
        interpretations: ['build-id-format'],
      },
      'cancelled-when-dropped': {
        kind: 'state',
        says: 'cancels the build once the client has gone',
        row: 'cancelled',
        needs: ['containers-run'],
      },
      'error-in-stream': {
        ...errorDetailLater,
        kind: 'stream',
        says: 'reports a failing RUN with an error object in the stream of a 200, and names no image',
        source: [1, 'Errors'],
        row: 'stream errors',
        needs: ['containers-run'],
      },
      'error-code': {
        kind: 'format',
        says: 'gives the exit code of a failing RUN in errorDetail',
        source: [1, 'Progress and error stream objects'],
        row: 'error, errorDetail',
        level: 'should',
        interpretations: ['build-errors'],
        needs: ['containers-run'],
      },
      'error-message': {
        kind: 'format',
        says: 'gives a message in errorDetail of a failing RUN',
        source: [1, 'Progress and error stream objects'],
        row: 'error, errorDetail',
        level: 'should',
        interpretations: ['progress-members'],
        needs: ['containers-run'],
      },
      'X-Registry-Config': {
        kind: 'auth',
        says: 'logs in to the registry of a base image with the credentials in X-Registry-Config',
        source: credentials,
        row: 'X-Registry-Config',
        needs: ['registry'],
      },
      'X-Registry-Config-base64url': {
        kind: 'auth',
        says: 'reads X-Registry-Config as JSON in base64 with the URL-safe alphabet',
        source: credentials,
        row: 'X-Registry-Config',
        needs: ['registry'],
      },
      'X-Registry-Config-host-port': {
        kind: 'auth',
        says: 'finds the credentials by the host name and port of the registry alone',
        source: credentials,
        row: 'X-Registry-Config',
        needs: ['registry'],
      },
      'X-Registry-Config-official': {
        kind: 'auth',
        says: 'finds the credentials of the official registry by an address with https:// before it and /v1/ after it',
        source: credentials,
        row: 'X-Registry-Config',
        unchecked: 'the suite never talks to the official registry',
      },
    },
  ),
  ...buildContextRules(build),
  ...buildParameterRules(build),
  ...flags,
  // An image that is pulled comes from the registry of the suite.
  'images.build.pull-spellings': { ...flags['images.build.pull-spellings'], needs: ['registry'] as const },
  ...fieldRules(
    'images.build',
    { endpoint: build, source: [1, 'Progress and error stream objects'], row: 'build output' },
    buildObject,
  ),
};
