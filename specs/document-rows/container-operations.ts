import { type DocumentSection, row, sectionsOf } from './row.ts';

const section = sectionsOf(2);

/** The common part of the sections of container endpoints. */
function endpoint(line: number, title: string) {
  return row(line, title, 'id-or-name');
}

/** Document 2 from the update of a container on. */
export const operationRows: readonly DocumentSection[] = [
  section(110, 'Update a container', { of: 'containers.update' }, [
    endpoint(112, 'POST /containers/{id}/update'),
    row(114, 'body', 'body.*', 'json-media-type', 'bad-parameter-refused', 'MemorySwap-*'),
    row(115, '200, 400, 404, 500', 'field.*', 'bad-parameter-refused', 'unknown-answers-404', 'server-error-500'),
  ]),
  section(117, 'Rename a container', { of: 'containers.rename' }, [
    endpoint(119, 'POST /containers/{id}/rename'),
    row(
      121,
      'name, 204, 404, 409, 500',
      'name-*',
      'empty-body',
      'taken-answers-409',
      'unknown-answers-404',
      'server-error-500',
    ),
  ]),
  section(123, 'Pause and unpause', { of: 'containers' }, [
    row(125, 'pause, unpause, 204, 404, 500', 'pause.*', 'unpause.*'),
  ]),
  section(127, 'Attach to a container', { of: 'containers.attach' }, [
    endpoint(129, 'POST /containers/{id}/attach'),
    row(133, 'detachKeys', 'detachKeys*'),
    row(134, 'logs', 'logs-*', 'no-streams'),
    row(135, 'stream', 'stream-*', 'no-streams'),
    row(136, 'stdin', 'stdin-*'),
    row(137, 'stdout', 'stdout-*'),
    row(138, 'stderr', 'stderr-*'),
    row(
      140,
      '101, 200, 400, 404, 409, 500',
      'stream.upgrade-answers-101',
      'stream.no-upgrade-answers-200',
      'bad-parameter-400',
      'unknown-answers-404',
      'paused-answers-409',
      'server-error-500',
    ),
  ]),
  section(142, 'Attach to a container over websocket', { of: 'containers.attach-ws' }, [
    endpoint(144, 'GET /containers/{id}/attach/ws'),
    row(146, 'handshake, query', 'handshake', 'detachKeys*', '*-spellings'),
    row(147, '200, 400, 404, 500', 'handshake', 'bad-parameter-400', 'unknown-answers-404', 'server-error-500'),
  ]),
  section(149, 'Wait for a container', { of: 'containers.wait' }, [
    endpoint(151, 'POST /containers/{id}/wait'),
    row(
      153,
      '200, 404, 500',
      'field.*',
      'blocks-until-stopped',
      'exit-code',
      'stopped-at-once',
      'unknown-answers-404',
      'server-error-500',
    ),
  ]),
  section(155, 'Remove a container', { of: 'containers.remove' }, [
    endpoint(157, 'DELETE /containers/{id}'),
    row(159, 'v, force, link', 'v-*', 'force-*', 'link-*'),
    row(160, '204, 400, 404, 409, 500', 'empty-body', 'unknown-answers-404', 'server-error-500'),
  ]),
  section(162, 'Copy files from a container', { of: 'containers.copy' }, [
    endpoint(164, 'POST /containers/{id}/copy'),
    row(166, 'Resource, 200, 404, 500', 'body.Resource', 'json-media-type', 'unknown-answers-404', 'server-error-500'),
  ]),
  section(168, 'Archive endpoints', { of: 'containers' }, [
    row(170, 'HEAD /containers/{id}/archive', 'archive-stat.*'),
    row(172, 'GET /containers/{id}/archive', 'archive-get.id-or-name'),
    row(
      174,
      'path of GET',
      'archive-get.path-missing-refused',
      'archive-get.path-relative',
      'archive-get.directory-*',
      'archive-get.slash-*',
      'archive-get.symlink',
    ),
    row(175, '200 of GET', 'archive-get.answers-200', 'archive-get.path-stat', 'archive-get.field.*'),
    row(
      176,
      'status codes of GET',
      'archive-get.answers-200',
      'archive-get.bad-path-json',
      'archive-get.slash-*',
      'archive-get.*-404',
      'archive-get.server-error-500',
    ),
    row(178, 'PUT /containers/{id}/archive', 'archive-put.id-or-name'),
    row(180, 'path, noOverwriteDirNonDir', 'archive-put.path-*', 'archive-put.noOverwriteDirNonDir-*'),
    row(181, 'body, 200 of PUT', 'archive-put.answers-200'),
    row(
      182,
      'status codes of PUT',
      'archive-put.answers-200',
      'archive-put.bad-path-json',
      'archive-put.noOverwriteDirNonDir-*',
      'archive-put.read-only-*-403',
      'archive-put.*-404',
      'archive-put.server-error-500',
    ),
  ]),
  section(184, 'Stream framing', {}, [
    row(
      186,
      '1',
      '*.stream.upgrade-answers-101',
      '*.stream.no-upgrade-answers-200',
      '*.stream.repeats-*',
      '*.stream.upgraded-media-type',
    ),
    row(187, '2', '*.stream.tty-raw'),
    row(188, '3', '*.stream.frame-*', '*.stream.payload-whole'),
    row(189, '4', '*.stream.payload-whole', '*.stream.frame-header'),
  ]),
];
