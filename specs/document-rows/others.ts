import { type DocumentSection, noRule, row, sectionsOf } from './row.ts';

const section = sectionsOf(3);
const path = 'names the method and path of the endpoint, which all its rules use';
const onlyHeadings = 'only headings stand below it';

/** The common part of the sections of endpoints that name an image. */
function ofImage(line: number, title: string) {
  return row(line, title, 'by-*');
}

/** Document 3. */
export const otherRows: readonly DocumentSection[] = [
  section(1, 'Introduction', {}, [noRule(3, 'scope', 'says what the document is about')]),
  section(5, 'Endpoints', { reason: onlyHeadings }, []),
  section(7, 'Images', { reason: onlyHeadings }, []),
  section(9, 'List images', { of: 'images.list' }, [
    noRule(11, 'GET /images/json', path),
    row(13, 'all, filters, digests', 'all-*', 'filters-*', 'digests-*', 'digest-names-image'),
    row(14, '200', 'answers-*', 'field.*'),
  ]),
  section(16, 'Build an image', { of: 'images.build' }, [
    noRule(18, 'POST /build', path),
    row(20, 'body', 'context.*'),
    row(21, 'steps'),
    row(22, 'cancelled'),
    row(23, '200', 'answers-200', 'media-type', 'objects-in-a-row', 'field.*', 'error-in-stream', 'error-message'),
    noRule(25, 'query', 'leads in the table below it'),
    row(29, 'dockerfile', 'parameter.dockerfile-ignored'),
    row(30, 't', 'parameter.t-*'),
    row(31, 'remote', 'parameter.remote-*', 'parameter.dockerfile-ignored'),
    row(32, 'q', 'parameter.q-*', 'q-spellings'),
    row(33, 'nocache', 'nocache-spellings'),
    row(34, 'pull', 'pull-spellings'),
    row(35, 'rm', 'parameter.rm-*', 'rm-spellings'),
    row(36, 'forcerm', 'parameter.forcerm-*', 'forcerm-spellings'),
    row(37, 'memory'),
    row(38, 'memswap', 'parameter.memswap*'),
    row(39, 'cpushares'),
    row(40, 'cpusetcpus', 'parameter.cpusetcpus*'),
    row(41, 'cpuperiod'),
    row(42, 'cpuquota'),
    row(43, 'buildargs', 'parameter.buildargs-*'),
    row(44, 'shmsize', 'parameter.shmsize-*'),
    row(45, 'labels'),
    row(47, 'headers', 'X-Registry-Config*'),
    row(49, '200, 500', 'answers-200', 'server-error-500'),
  ]),
  section(51, 'Create an image', { of: 'images.create' }, [
    noRule(53, 'POST /images/create', path),
    row(57, 'fromImage', 'fromImage-*'),
    row(58, 'fromSrc', 'fromSrc-*', 'fromImage-not-import'),
    row(59, 'repo', 'repo-*', 'fromImage-not-import'),
    row(60, 'tag', 'tag-*'),
    row(62, 'X-Registry-Auth', 'X-Registry-Auth-*'),
    row(
      63,
      '200, 404, 500',
      '*media-type',
      'objects-in-a-row',
      'progress-members',
      'field.*',
      'error-in-stream',
      '*-404',
      'server-error-500',
    ),
  ]),
  section(65, 'Inspect an image', { of: 'images.inspect' }, [
    ofImage(67, 'GET /images/{name}/json'),
    row(69, '200, 404, 500', 'field.*', 'unknown-answers-404', 'server-error-500'),
  ]),
  section(71, 'Image history', { of: 'images.history' }, [
    ofImage(73, 'GET /images/{name}/history'),
    row(75, '200, 404, 500', 'answers-*', 'field.*', 'unknown-answers-404', 'server-error-500'),
  ]),
  section(77, 'Push an image', { of: 'images.push' }, [
    noRule(79, 'POST /images/{name}/push', path),
    row(81, 'registry in the name'),
    row(82, 'tag, X-Registry-Auth', 'X-Registry-Auth-*'),
    row(83, 'cancelled'),
    row(84, '200, 404, 500', 'objects-in-a-row', 'progress-members', 'field.*', 'error-in-stream', 'server-error-500'),
  ]),
  section(86, 'Tag an image', { of: 'images.tag' }, [
    ofImage(88, 'POST /images/{name}/tag'),
    row(90, 'repo, force, tag', 'force-*'),
    row(91, '201, 400, 404, 409, 500', 'unknown-answers-404', 'server-error-500'),
  ]),
  section(93, 'Remove an image', { of: 'images.remove' }, [
    ofImage(95, 'DELETE /images/{name}'),
    row(97, 'force, noprune', 'force-*', 'noprune-*'),
    row(98, '200, 404, 409, 500', 'field.*', 'one-of-each', 'unknown-answers-404', 'server-error-500'),
  ]),
  section(100, 'Search images', { of: 'images.search' }, [
    noRule(102, 'GET /images/search', path),
    row(104, 'term, 200, 500', 'field.*', 'server-error-500'),
  ]),
  section(106, 'Commit a container as an image', { of: 'images.commit' }, [
    noRule(108, 'POST /commit', path),
    row(110, 'container, repo, tag, comment, author, pause, changes', 'pause-*'),
    row(111, 'body', 'body.*', 'json-media-type', 'config*'),
    row(112, '201, 404, 500', 'field.*', 'unknown-answers-404', 'server-error-500'),
  ]),
  section(114, 'Export images as a tarball', { of: 'images' }, [
    row(116, 'GET /images/{name}/get', 'save.by-*', 'save.repositories'),
    row(117, 'GET /images/get', 'save-several.names-*'),
    row(
      118,
      '200, 500',
      'save*.answers-200',
      'save*.media-type',
      'save*.body-tar',
      'save*.unknown-refused',
      'save*.server-error-500',
    ),
  ]),
  section(120, 'Load a tarball of images', { of: 'images.load' }, [
    noRule(122, 'POST /images/load', path),
    row(124, 'body, quiet', 'old-format', 'quiet-*'),
    row(125, '200, 500', 'objects-in-a-row', 'field.*', 'error-in-stream', 'server-error-500'),
  ]),
  section(127, 'System', { of: 'system' }, [
    row(131, 'POST /auth', 'auth.*'),
    row(132, 'GET /info', 'info.server-error-500'),
    row(133, 'GET /version', 'version.server-error-500'),
    row(134, 'GET /_ping', 'ping.*'),
  ]),
  section(136, 'Monitor events', { of: 'events' }, [
    noRule(138, 'GET /events', path),
    row(140, '200', 'answers-200', 'objects-in-a-row'),
    row(141, 'since, until, filters', 'filters*'),
    row(142, '200, 500', 'answers-200', 'server-error-500'),
  ]),
  section(144, 'Exec instances', { reason: onlyHeadings }, []),
  section(146, 'Exec create', { of: 'exec.create', fields: ['exec.create.body'] }, [
    row(148, 'POST /containers/{id}/exec', 'id-or-name'),
    row(150, 'body', 'body.*', 'attach-*', 'cmd-*', 'user-*', 'uid*', 'detach-keys*'),
    row(151, '201, 404, 409, 500', 'field.*', 'unknown-answers-404', 'paused-answers-409'),
  ]),
  section(153, 'Exec start', { of: 'exec.start' }, [
    row(155, 'POST /exec/{id}/start', 'exec-id'),
    row(157, 'Detach, Tty', 'body.*', 'detach*', 'tty-*'),
    row(158, '200, 404, 409', 'stream.*', 'unknown-answers-404', 'paused-answers-409'),
  ]),
  section(160, 'Exec resize', { of: 'exec.resize' }, [
    row(162, 'POST /exec/{id}/resize', 'exec-id'),
    row(164, 'h, w, 201, 404', 'without-tty', 'unknown-answers-404'),
  ]),
  section(166, 'Exec inspect', { of: 'exec.inspect' }, [
    row(168, 'GET /exec/{id}/json', 'exec-id'),
    row(170, '200, 404, 500', 'field.*', 'unknown-answers-404', 'server-error-500'),
  ]),
  section(172, 'Volumes', { of: 'volumes' }, [
    row(176, 'GET /volumes', 'list.*'),
    row(177, 'POST /volumes/create', 'create.*'),
    row(178, 'GET /volumes/{name}', 'inspect.*'),
    row(179, 'DELETE /volumes/{name}', 'remove.*'),
  ]),
  section(181, 'Networks', { of: 'networks', fields: ['networks.create.body'] }, [
    row(185, 'GET /networks', 'list.*'),
    row(186, 'GET /networks/{id}', 'inspect.*'),
    row(
      187,
      'POST /networks/create',
      'create.field.*',
      'create.server-error-500',
      'create.json-media-type',
      'create.usable-by-name',
    ),
    row(188, 'POST /networks/{id}/connect', 'connect.*'),
    row(189, 'POST /networks/{id}/disconnect', 'disconnect.*'),
    row(190, 'DELETE /networks/{id}', 'remove.*'),
    noRule(192, 'body of create', 'leads in the table below it'),
    row(196, 'Name', 'create.usable-by-name'),
    row(197, 'CheckDuplicate', 'create.duplicate-*'),
    row(198, 'Driver'),
    row(199, 'IPAM', 'create.ipam-*'),
    row(200, 'Options'),
    row(201, 'Internal'),
    row(202, 'EnableIPv6'),
    row(203, 'Labels'),
  ]),
  section(205, 'Registry token endpoint', {}, [row(207, 'POST {auth_url}/token', 'token.answers-200')]),
];
