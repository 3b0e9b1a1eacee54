import fc from 'fast-check';

const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-'];

/** What may follow the prefix of a run in the name of a container: letters, digits, `_` and `-` (Document 1, Limits). */
export const nameEndings: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom(...letters),
  minLength: 1,
  maxLength: 40,
});

/** Names without a single letter that a container's name may have. */
export const namelessTexts: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom(...'.!?#%& +*~;'),
  minLength: 1,
  maxLength: 5,
});
