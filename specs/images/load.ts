import { serverError } from '../common-answers.ts';
import { errorDetailLater, serverErrorRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { fieldRules } from '../fields.ts';
import { flagOff, flagRules } from '../parameters.ts';
import { loadObject } from '../resources/progress.ts';
import { rules } from '../rule.ts';
import { progressMembersRule, progressStreamRules } from './common.ts';

const source = [3, 'Load a tarball of images'] as const;

export const load = endpoint({
  id: 'images.load',
  method: 'POST',
  path: '/images/load',
  summary: 'loads images from a tar archive',
  source,
  parameters: {
    quiet: { in: 'query', since: '1.23', schema: flagOff, says: 'without the progress' },
  },
  body: { mediaType: 'application/x-tar', required: true },
  answers: {
    200: [
      { says: 'the images are loaded', body: 'empty', until: '1.21' },
      { says: 'the progress', body: 'objects', mediaType: 'application/json', schema: loadObject, since: '1.23' },
    ],
    500: serverError,
  },
});

export const loadRules = {
  ...rules(
    'images.load',
    { endpoint: load, source, row: '200, 500' },
    {
      'answers-200': { kind: 'status', says: 'answers 200 when it loads images' },
      'server-error-500': serverErrorRule,
      'image-there': { kind: 'state', says: 'leaves the images of the archive with their names', row: 'body, quiet' },
      'body-media-type': {
        kind: 'header',
        says: 'accepts a body with Content-Type: application/x-tar',
        row: 'body, quiet',
      },
      'old-format': {
        kind: 'format',
        says: 'accepts an archive of layers with VERSION, json and layer.tar, and a file repositories',
        source: [1, 'Image shapes'],
        row: 'tarball',
      },
      'several-names': {
        kind: 'state',
        says: 'leaves every image of an archive of several with its name',
        source: [1, 'Image shapes'],
        row: 'tarball',
      },
      'without-repositories': {
        kind: 'status',
        says: 'answers 200 to an archive without a file repositories, as that of an identifier is',
        source: [1, 'Image shapes'],
        row: 'tarball',
        interpretations: ['image-after-load'],
      },
      'empty-body': { kind: 'version', says: 'sends no body', until: '1.21' },
      'media-type': { ...progressStreamRules['media-type'], since: '1.23' },
      'progress-members': { ...progressMembersRule, since: '1.23' },
      'objects-in-a-row': { ...progressStreamRules['objects-in-a-row'], since: '1.23' },
      chunked: { kind: 'header', says: 'sends its body in chunks', since: '1.23' },
      'ends-with-stream': {
        kind: 'stream',
        says: 'ends with an object that has stream',
        since: '1.23',
      },
      'quiet-true': {
        kind: 'parameter',
        says: 'sends only the result, and no progress, when quiet is true',
        row: 'body, quiet',
        since: '1.23',
      },
      'quiet-default-false': {
        kind: 'parameter',
        says: 'sends the progress when quiet is not set',
        row: 'body, quiet',
        since: '1.23',
      },
      'error-in-stream': {
        ...errorDetailLater,
        kind: 'stream',
        says: 'reports a load that fails with an error object in the stream of a 200, or refuses it before the stream begins',
        source: [1, 'Errors'],
        row: 'stream errors',
        since: '1.23',
        interpretations: ['listed-codes'],
      },
    },
  ),
  ...flagRules(load),
  ...fieldRules(
    'images.load',
    { endpoint: load, source: [1, 'Progress and error stream objects'], row: 'load result line', since: '1.23' },
    loadObject,
  ),
};
