import { type DocumentSection, noRule, row, sectionsOf } from './row.ts';

const section = sectionsOf(2);
const path = 'names the method and path of the endpoint, which all its rules use';

/** The common part of the sections of container endpoints. */
function endpoint(line: number, title: string) {
  return row(line, title, 'id-or-name');
}

/** Document 2 up to the endpoint that kills a container. */
export const containerRows: readonly DocumentSection[] = [
  section(1, 'Introduction', {}, [noRule(3, 'scope', 'says what the document is about')]),
  section(5, 'Endpoints', { reason: 'only headings stand below it' }, []),
  section(7, 'List containers', { of: 'containers.list' }, [
    noRule(9, 'GET /containers/json', path),
    noRule(11, 'query', 'leads in the table below it'),
    row(15, 'all', 'all-*'),
    row(16, 'limit', 'limit', 'bad-parameter-refused'),
    row(17, 'since', 'since-*'),
    row(18, 'before', 'before-*'),
    row(19, 'size', 'size-*'),
    row(20, 'filters', 'filters.*'),
    row(22, '200, 400, 500', 'bad-parameter-refused', 'server-error-500'),
  ]),
  section(24, 'Create a container', { of: 'containers.create' }, [
    noRule(26, 'POST /containers/create', path),
    row(28, 'name', 'limits.name-*'),
    row(29, 'body', 'body.*', 'json-media-type', 'bad-parameter-refused'),
    row(30, '201', 'field.*'),
    row(
      31,
      '201, 400, 404, 406, 409, 500',
      'bad-parameter-refused',
      'missing-*-404',
      'attach-not-running-406',
      'name-taken-409',
      'server-error-500',
    ),
  ]),
  section(33, 'Inspect a container', { of: 'containers.inspect' }, [
    endpoint(35, 'GET /containers/{id}/json'),
    row(37, 'size', 'size-*', 'field.SizeRw', 'field.SizeRootFs'),
    row(38, '200, 404, 500', 'unknown-answers-404', 'server-error-500'),
  ]),
  section(40, 'List processes', { of: 'containers.top' }, [
    endpoint(42, 'GET /containers/{id}/top'),
    row(44, 'ps'),
    row(45, 'ps_args'),
    row(46, '200, 404, 500', 'field.*', 'unknown-answers-404', 'server-error-500'),
  ]),
  section(48, 'Get container logs', { of: 'containers.logs' }, [
    endpoint(50, 'GET /containers/{id}/logs'),
    row(52, 'drivers', 'driver-*'),
    row(
      53,
      'follow, stdout, stderr, since, timestamps, tail',
      'follow-*',
      'stdout-*',
      'stderr-*',
      'since-*',
      'timestamps-*',
      'tail-*',
    ),
    row(
      54,
      '101, 200, 404, 500',
      'stream.upgrade-answers-101',
      'stream.no-upgrade-answers-200',
      'unknown-answers-404',
      'server-error-500',
    ),
  ]),
  section(56, 'Inspect changes on a filesystem', { of: 'containers.changes' }, [
    endpoint(58, 'GET /containers/{id}/changes'),
    row(60, '200, 404, 500', 'answers-*', 'field.*', 'unknown-answers-404', 'server-error-500'),
  ]),
  section(62, 'Export a container', { of: 'containers.export' }, [
    endpoint(64, 'GET /containers/{id}/export'),
    row(66, '200, 404, 500', 'unknown-answers-404', 'server-error-500'),
  ]),
  section(68, 'Get container stats', { of: 'containers.stats' }, [
    endpoint(70, 'GET /containers/{id}/stats'),
    row(72, 'stream', 'stream-*'),
    row(73, '200, 404, 500', 'objects-in-a-row', 'unknown-answers-404', 'server-error-500'),
  ]),
  section(75, 'Resize a container TTY', { of: 'containers.resize' }, [
    endpoint(77, 'POST /containers/{id}/resize'),
    row(79, 'h, w'),
    row(80, '200, 404, 500', 'effect-before-restart', 'unknown-answers-404'),
  ]),
  section(82, 'Start a container', { of: 'containers.start' }, [
    endpoint(84, 'POST /containers/{id}/start'),
    row(86, 'detachKeys', 'detachKeys*'),
    row(87, 'body'),
    row(88, '204, 304, 404, 500', 'empty-body', 'started-answers-304', 'unknown-answers-404', 'server-error-500'),
  ]),
  section(90, 'Stop a container', { of: 'containers.stop' }, [
    endpoint(92, 'POST /containers/{id}/stop'),
    row(94, 't', 'kills-after-t'),
    row(95, '204, 304, 404, 500', 'empty-body', 'stopped-answers-304', 'unknown-answers-404', 'server-error-500'),
  ]),
  section(97, 'Restart a container', { of: 'containers.restart' }, [
    endpoint(99, 'POST /containers/{id}/restart'),
    row(101, 't, 204, 404, 500', 'kills-after-t', 'empty-body', 'unknown-answers-404', 'server-error-500'),
  ]),
  section(103, 'Kill a container', { of: 'containers.kill' }, [
    endpoint(105, 'POST /containers/{id}/kill'),
    row(107, 'signal', 'signal-*', 'waits-for-exit'),
    row(108, '204, 404, 500', 'empty-body', 'unknown-answers-404', 'server-error-500'),
  ]),
];
