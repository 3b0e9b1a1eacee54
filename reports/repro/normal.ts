/**
 * What differs between runs although the answer is the same, as patterns that JavaScript and `sed -E` interpret alike.
 */
const volatile: readonly (readonly [pattern: string, stands: string])[] = [
  [
    '[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}([.,][0-9]+)?( ?(Z|UTC|[+-][0-9]{2}:?[0-9]{2}))?',
    '<time>',
  ],
  ['(Less than |About )?(an?|[0-9]+) (second|minute|hour)s?( ago)?', '<time>'],
  ['([0-9a-f]{2}:){5}[0-9a-f]{2}', '<mac>'],
  ['[0-9]{1,3}([.][0-9]{1,3}){3}', '<ip>'],
  ['[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}', '<id>'],
  ['[0-9a-f]{11,}', '<id>'],
  ['[0-9]{4,}([.][0-9]+)?', '<n>'],
];

/** A text without what differs between runs. @param run the id of the run that made it */
export function normal(text: string, run: string, identifiers: readonly string[]): string {
  const own = identifiers.reduce(
    (rest, identifier) => rest.replaceAll(identifier, '<id>'),
    run === '' ? text : text.replaceAll(run, '<run>'),
  );
  return volatile.reduce((rest, [pattern, stands]) => rest.replace(new RegExp(pattern, 'g'), stands), own);
}

/** The same for sed. */
export const normalInSed = volatile.map(([pattern, stands]) => `-e 's/${pattern}/${stands}/g'`).join(' ');
