import { serverError } from '../common-answers.ts';
import { containerIdRule, serverErrorLater, serverErrorRule, unknownContainerRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { flag, flagRules } from '../parameters.ts';
import { rules } from '../rule.ts';
import { containerId } from './common.ts';

const source = [2, 'Archive endpoints'] as const;

export const archivePut = endpoint({
  id: 'containers.archive-put',
  method: 'PUT',
  path: '/containers/{id}/archive',
  summary: 'unpacks a tar archive in a container',
  source,
  parameters: {
    id: containerId,
    path: {
      in: 'query',
      required: true,
      schema: { type: 'string' },
      says: 'the directory to unpack in; one that is not absolute starts at the root of the container',
    },
    noOverwriteDirNonDir: {
      in: 'query',
      schema: flag,
      says: 'a directory is never replaced by another kind of file, nor the other way round',
    },
  },
  body: { mediaType: 'application/x-tar', required: true },
  answers: {
    200: { says: 'the archive is unpacked', body: 'empty' },
    400: { says: 'the path or the archive is bad', body: 'object' },
    403: { says: 'the volume or the root file system is read-only', body: 'text' },
    404: { says: 'there is no such container or path', body: 'text' },
    500: serverError,
  },
});

export const archivePutRules = {
  ...rules(
    'containers.archive-put',
    { endpoint: archivePut, source, row: 'body, 200 of PUT' },
    {
      'answers-200': { kind: 'status', says: 'answers 200 when it has unpacked the archive' },
      'empty-body': { kind: 'format', says: 'sends no body' },
      unpacks: { kind: 'state', says: 'leaves the files of the archive in the directory' },
      'path-relative': {
        kind: 'parameter',
        says: 'resolves a relative path from the root of the container',
        row: 'path, noOverwriteDirNonDir',
      },
      'unknown-answers-404': { ...unknownContainerRule, row: 'status codes of PUT' },
      'missing-path-404': {
        kind: 'status',
        says: 'answers 404 when the path does not exist',
        row: 'path, noOverwriteDirNonDir',
      },
      'path-empty-400': { kind: 'status', says: 'answers 400 when path is empty', row: 'status codes of PUT' },
      'path-missing-refused': {
        kind: 'status',
        says: 'refuses a request without a path',
        row: 'path, noOverwriteDirNonDir',
        interpretations: ['bad-parameter'],
      },
      'path-file-400': {
        ...serverErrorLater,
        kind: 'status',
        says: 'answers 400 when the path is a file',
        row: 'status codes of PUT',
      },
      'noOverwriteDirNonDir-directory': {
        ...serverErrorLater,
        kind: 'parameter',
        says: 'answers 400 when another kind of file would replace a directory and noOverwriteDirNonDir is true',
        row: 'path, noOverwriteDirNonDir',
      },
      'noOverwriteDirNonDir-file': {
        ...serverErrorLater,
        kind: 'parameter',
        says: 'answers 400 when a directory would replace another kind of file and noOverwriteDirNonDir is true',
        row: 'path, noOverwriteDirNonDir',
      },
      'noOverwriteDirNonDir-default': {
        kind: 'observe',
        says: 'whether a directory and another kind of file replace each other when noOverwriteDirNonDir is not set',
        row: 'path, noOverwriteDirNonDir',
      },
      'bad-path-json': {
        kind: 'format',
        says: 'sends the details of a 400 as JSON',
        source: [1, 'Errors'],
        row: 'stream errors',
        interpretations: ['error-body'],
      },
      'read-only-volume-403': {
        ...serverErrorLater,
        kind: 'status',
        says: 'answers 403 when the volume at the path is read-only',
        row: 'status codes of PUT',
      },
      'read-only-rootfs-403': {
        ...serverErrorLater,
        kind: 'status',
        says: 'answers 403 when the root file system is read-only',
        row: 'status codes of PUT',
      },
      'pseudo-paths': {
        kind: 'limit',
        says: 'copies nothing into /proc, /sys and /dev',
        source: [1, 'Limits'],
        row: 'archive',
        needs: ['containers-run'],
      },
      'server-error-500': { ...serverErrorRule, row: 'status codes of PUT' },
      'id-or-name': containerIdRule,
      'body-media-type': {
        kind: 'header',
        says: 'accepts a body with Content-Type: application/x-tar',
      },
      'compressed-archive': {
        kind: 'observe',
        says: 'whether it unpacks a tar archive that is compressed with gzip',
      },
      'bad-archive': {
        kind: 'observe',
        says: 'what it answers to a body that is not a tar archive',
        interpretations: ['listed-codes'],
      },
    },
  ),
  ...flagRules(archivePut),
};
