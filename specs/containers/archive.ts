import { serverError } from '../common-answers.ts';
import { containerIdRule, running, serverErrorLater, serverErrorRule, unknownContainerRule } from '../common-rules.ts';
import { endpoint, type Parameter } from '../endpoint.ts';
import { fieldRules } from '../fields.ts';
import { pathStat, pathStatHeader } from '../resources/container-operations.ts';
import { type RuleData, rules } from '../rule.ts';
import { containerId } from './common.ts';

const source = [2, 'Archive endpoints'] as const;
const shape = [1, 'Other container-related shapes'] as const;

const path = {
  in: 'query',
  required: true,
  schema: { type: 'string' },
  says: 'the path in the container; one that is not absolute starts at its root',
} as const satisfies Parameter;

const badPath = { says: 'the path is bad', body: 'object' } as const;
const notThere = { says: 'there is no such container or path', body: 'text' } as const;
const headers = { 'X-Engine-Container-Path-Stat': pathStatHeader } as const;

export const archiveStat = endpoint({
  id: 'containers.archive-stat',
  method: 'HEAD',
  path: '/containers/{id}/archive',
  summary: 'describes a path in a container',
  source,
  parameters: { id: containerId, path },
  answers: {
    200: { says: 'the description is in the header', body: 'empty', headers },
    400: { says: 'the path is bad', body: 'empty' },
    404: { says: 'there is no such container or path', body: 'empty' },
  },
});

export const archiveGet = endpoint({
  id: 'containers.archive-get',
  method: 'GET',
  path: '/containers/{id}/archive',
  summary: 'gives a path in a container as a tar archive',
  source,
  parameters: { id: containerId, path },
  answers: {
    200: { says: 'the archive', body: 'tar', mediaType: 'application/x-tar', headers },
    400: badPath,
    404: notThere,
    500: serverError,
  },
});

/** What HEAD and GET have in common. */
const paths = {
  'id-or-name': containerIdRule,
  'answers-200': { kind: 'status', says: 'answers 200 for a path of a container' },
  'path-missing-refused': {
    kind: 'status',
    says: 'refuses a request without a path',
    interpretations: ['bad-parameter'],
  },
  'path-relative': { kind: 'parameter', says: 'resolves a relative path from the root of the container' },
  'path-stat': { kind: 'header', says: 'sends X-Engine-Container-Path-Stat, a JSON object in base64' },
  symlink: {
    kind: 'parameter',
    says: 'follows a symbolic link at the path to its target',
    level: 'should',
    interpretations: ['symlink'],
    needs: running,
  },
} as const satisfies Record<string, RuleData>;

export const archiveStatRules = {
  ...rules(
    'containers.archive-stat',
    { endpoint: archiveStat, source, row: 'HEAD /containers/{id}/archive' },
    {
      ...paths,
      'unknown-answers-404': { ...unknownContainerRule, source: [1, 'Errors'], row: '404' },
      'missing-path-refused': {
        kind: 'status',
        says: 'refuses a path that does not exist',
        interpretations: ['listed-codes'],
      },
      'path-empty-refused': { kind: 'status', says: 'refuses an empty path', interpretations: ['listed-codes'] },
      'slash-on-file-refused': {
        kind: 'status',
        says: 'refuses a path that ends with a slash and is a file',
        interpretations: ['listed-codes'],
      },
      'slash-dot-on-file-refused': {
        kind: 'status',
        says: 'refuses a path that ends with a slash and a dot and is a file',
        interpretations: ['listed-codes'],
      },
      'empty-body': { kind: 'format', says: 'sends no body' },
      'as-get': { kind: 'header', says: 'sends the path stat that a GET of the path sends' },
      'stat-values': {
        kind: 'header',
        says: 'gives the name and the size of the file',
        source: shape,
        row: 'path stat',
      },
    },
  ),
  ...fieldRules('containers.archive-stat', { endpoint: archiveStat, source: shape, row: 'path stat' }, pathStat),
};

export const archiveGetRules = {
  ...rules(
    'containers.archive-get',
    { endpoint: archiveGet, source, row: 'path of GET' },
    {
      ...paths,
      'answers-200': { ...paths['answers-200'], row: '200 of GET' },
      'path-stat': { ...paths['path-stat'], row: '200 of GET' },
      'unknown-answers-404': { ...unknownContainerRule, row: 'status codes of GET' },
      'missing-path-404': { kind: 'status', says: 'answers 404 when the path does not exist' },
      'server-error-500': { ...serverErrorRule, row: 'status codes of GET' },
      'path-empty-400': { kind: 'status', says: 'answers 400 when path is empty', row: 'status codes of GET' },
      'slash-on-file-400': {
        ...serverErrorLater,
        kind: 'status',
        says: 'answers 400 when the path ends with a slash and is a file',
      },
      'slash-dot-on-file-400': {
        ...serverErrorLater,
        kind: 'status',
        says: 'answers 400 when the path ends with a slash and a dot and is a file',
      },
      'bad-path-json': {
        kind: 'format',
        says: 'sends the details of a 400 as JSON',
        source: [1, 'Errors'],
        row: 'stream errors',
        interpretations: ['error-body'],
      },
      'media-type': { kind: 'header', says: 'sends Content-Type: application/x-tar', row: '200 of GET' },
      'body-tar': { kind: 'format', says: 'sends a tar archive of the path', row: '200 of GET' },
      'directory-slash': { kind: 'parameter', says: 'accepts a slash at the end of the path of a directory' },
      'directory-contents': {
        kind: 'parameter',
        says: 'sends only what is in the directory when the path ends with a slash and a dot',
      },
      'pseudo-path-proc': {
        kind: 'limit',
        says: 'does not copy paths under /proc',
        source: [1, 'Limits'],
        row: 'archive',
        needs: running,
      },
      'pseudo-path-sys': {
        kind: 'limit',
        says: 'does not copy paths under /sys',
        source: [1, 'Limits'],
        row: 'archive',
        needs: running,
      },
      'pseudo-path-dev': {
        kind: 'limit',
        says: 'does not copy paths under /dev',
        source: [1, 'Limits'],
        row: 'archive',
        needs: running,
      },
      'user-mount': {
        kind: 'limit',
        says: 'does not copy paths under a mount that was made in the container',
        source: [1, 'Limits'],
        row: 'archive',
        unchecked: 'making a mount inside a container takes rights that a suite should not ask for',
      },
    },
  ),
  ...fieldRules('containers.archive-get', { endpoint: archiveGet, source: shape, row: 'path stat' }, pathStat),
};
