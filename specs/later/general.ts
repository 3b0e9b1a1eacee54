import { api, begins, doc, ends, type LaterSection, noRule, rel } from './row.ts';

/** General rules (Document 4, section 3). */
export const generalRows: LaterSection = {
  heading: 'General rules',
  line: 47,
  rows: [
    api(51, 'errors.body.json', '1.24', begins('service.error-json', 'service.unknown-path-404')),
    rel(52, 'errors.body.head', noRule('no rule asks for the body of an error that answers HEAD')),
    rel(53, 'errors.body.hijack', noRule('the rule on the form of errors asks endpoints that hijack no connection')),
    rel(54, 'errors.body.too-old', noRule('the rule on the form of errors asks within the served versions')),
    api(55, 'versioning.too-old', '1.25', begins('versioning.too-old-400')),
    doc(
      56,
      'versioning.prefix-required',
      noRule('what is answered without a version is observed, and daemons go on to serve it'),
    ),
    rel(57, 'versioning.patch-prefix', noRule('no rule sends a version of three numbers, and daemons differ')),
    rel(
      58,
      'headers.every-response',
      noRule('headers of daemons below 1.25 lack them, and a missing one would be a matter of the release'),
    ),
    rel(59, 'cors.setting', noRule('judged only where the user says that the daemon was started with it')),
    rel(60, 'filters.unknown-key', noRule('filters that the documents do not name are observed')),
    rel(61, 'filters.malformed', noRule('the rules on malformed filters take any refusal')),
    rel(62, 'body.content-type', noRule('what a wrong Content-Type gets is observed')),
    doc(
      63,
      'names.container',
      ends(
        'containers.create.limits.name-letters',
        'containers.create.limits.name-mixed-refused',
        'containers.rename.name-letters',
        'containers.rename.name-mixed-refused',
      ),
    ),
    rel(64, 'limits.memory-min', noRule('no rule asks for so little memory')),
    api(
      65,
      'streams.media-type.multiplexed',
      '1.42',
      ends('containers.attach.stream.upgraded-media-type', 'exec.start.stream.upgraded-media-type'),
      begins(
        'containers.attach.stream.multiplexed-media-type',
        'containers.attach.stream.tty-media-type',
        'exec.start.stream.multiplexed-media-type',
        'exec.start.stream.tty-media-type',
      ),
    ),
    doc(66, 'streams.error.string', noRule('every member of the objects of a stream may be missing')),
    rel(67, 'streams.progress.string', noRule('every member of the objects of a stream may be missing')),
    rel(68, 'streams.error.detail', noRule('answers are open, so a further member is no deviation')),
    rel(69, 'streams.aux.push', noRule('answers are open, so a further member is no deviation')),
  ],
};
