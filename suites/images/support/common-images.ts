import { type Fixture, fixture } from '../../../harness/check.ts';
import type { Query } from '../../../harness/engine/query.ts';
import { type CommittedImage, makeImage } from './committed-images.ts';

/**
 * Declares an image that is made once for all checks that use it, in all versions.
 * @param label a label of it, as `key=value`
 */
function commonImage(what: string, query: Query = {}, label = 'ec.common=1'): Fixture<CommittedImage> {
  return fixture(
    what,
    ({ engine, use }) => {
      const changes = `LABEL ${label}\nLABEL ec.own=${engine.unusedName('image')}`;
      return makeImage({ engine, use }, { query: { changes, ...query } });
    },
    { allVersions: (made) => made },
  );
}

/** Has a comment, an author and one name. No check renames or removes it. */
export const described = commonImage('a committed image', { comment: 'a comment', author: 'an author' });

/** The same without comment and author, for checks that look at two images. */
export const another = commonImage('another committed image');

/** Images that differ in a label; no other image has one of the keys. */
export const labelled = {
  keyB: commonImage('an image with the label ec.key=b', {}, 'ec.key=b'),
  keyC: commonImage('an image with the label ec.key=c', {}, 'ec.key=c'),
  other: commonImage('an image with the label ec.other=a', {}, 'ec.other=a'),
} as const;
