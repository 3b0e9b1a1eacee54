import { api, begins, doc, eases, ends, type LaterSection, noRule, rel } from './row.ts';

/** General rules (Document 4, section 3). */
export const generalRows: LaterSection = {
  heading: 'General rules',
  rows: [
    api('errors.body.json', '1.24', begins('service.error-json', 'service.unknown-path-404')),
    rel('errors.body.head', noRule('no rule asks for the body of an error that answers HEAD')),
    rel('errors.body.hijack', noRule('the rule on the form of errors asks endpoints that hijack no connection')),
    rel('errors.body.too-old', noRule('the rule on the form of errors asks within the served versions')),
    api('versioning.too-old', '1.25', begins('versioning.too-old-400', 'versioning.too-old-every-call')),
    doc(
      'versioning.prefix-required',
      noRule('what is answered without a version is observed, and daemons still serve it'),
    ),
    rel('versioning.patch-prefix', noRule('no rule sends a version of three numbers, and daemons differ')),
    rel(
      'headers.every-response',
      noRule('headers of daemons below 1.25 lack them, and a missing one would be a matter of the release'),
    ),
    rel('cors.setting', noRule('judged only where the user says that the daemon was started with it')),
    rel('filters.unknown-key', noRule('filters that the documents do not name are observed')),
    rel('filters.malformed', noRule('the rules on malformed filters take any refusal')),
    rel('body.content-type', noRule('the answer to a wrong Content-Type is observed')),
    doc(
      'names.container',
      eases(
        'containers.create.limits.name-letters',
        'containers.create.limits.name-mixed-refused',
        'containers.rename.name-letters',
        'containers.rename.name-mixed-refused',
      ),
    ),
    rel('limits.memory-min', noRule('no rule asks for so little memory')),
    api(
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
    doc('streams.error.string', eases('images.*.error-in-stream')),
    rel('streams.progress.string', noRule('every member of the objects of a stream may be missing')),
    rel('streams.error.detail', noRule('answers are open, so a further member is not a deviation')),
    rel('streams.aux.push', noRule('answers are open, so a further member is not a deviation')),
  ],
};
