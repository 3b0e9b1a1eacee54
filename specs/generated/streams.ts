import { running } from '../common-rules.ts';
import { properties } from './properties.ts';

/** Generated payloads, rhythms, cuts and archives: what goes through the daemon comes out as it went in. */
export const streamProperties = properties('generated.streams', {
  attach: {
    says: 'whatever a container writes, and however, arrives complete and in order at an attached client and in its log',
    source: [2, 'Stream framing'],
    needs: running,
    decides: [
      'containers.attach.stream.frame-header',
      'containers.attach.stream.payload-whole',
      'containers.attach.stream.tty-raw',
      'containers.logs.stream.frame-header',
      'containers.logs.stream.payload-whole',
      'containers.logs.stream.tty-raw',
      'containers.logs.stdout-true',
      'containers.logs.stderr-true',
      'containers.logs.tail-number',
    ],
  },
  exec: {
    says: 'whatever a command writes, and however, arrives complete and in order at the client that started it',
    source: [2, 'Stream framing'],
    needs: running,
    decides: ['exec.start.stream.frame-header', 'exec.start.stream.payload-whole', 'exec.start.stream.tty-raw'],
  },
  input: {
    says: 'whatever a client sends, and in whatever pieces, arrives at the process',
    source: [2, 'Attach to a container'],
    needs: running,
    decides: ['exec.start.stdin', 'containers.attach.stream-stdin'],
  },
  'request-chunks': {
    says: 'it makes no difference where the body of a request is cut into chunks',
    source: [1, 'Conventions used by all endpoints'],
    decides: [
      'containers.create.answers-201',
      'containers.create.body.Labels',
      'containers.archive-put.answers-200',
      'containers.archive-put.unpacks',
      'images.create.answers-200',
      'images.create.fromSrc-body',
      'images.load.answers-200',
      'images.load.image-there',
      'images.build.makes-image',
      'images.build.context.Enginefile',
    ],
  },
  archives: {
    says: 'the files of any archive are unpacked, and come out again as they went in',
    source: [2, 'Archive endpoints'],
    decides: [
      'containers.archive-put.answers-200',
      'containers.archive-put.unpacks',
      'containers.archive-get.answers-200',
      'containers.archive-get.body-tar',
      'containers.export.answers-200',
      'containers.export.contents',
    ],
  },
  'odd-paths': {
    says: 'a file is found by its path even if the path would be a pattern to a shell',
    source: [2, 'Archive endpoints'],
    decides: ['containers.archive-stat.answers-200', 'containers.archive-get.answers-200'],
  },
  'path-stats': {
    says: 'the path stat gives the name and size of a file, whatever characters its name has',
    source: [2, 'Archive endpoints'],
    decides: ['containers.archive-stat.path-stat', 'containers.archive-stat.stat-values'],
  },
});
