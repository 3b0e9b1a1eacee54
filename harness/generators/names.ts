import fc from 'fast-check';

const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-'];

/** The part of a container's name after the prefix of a run: letters, digits, `_` and `-` (Document 1, Limits). */
export const nameEndings: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom(...letters),
  minLength: 1,
  maxLength: 40,
});

/** Names made only of characters that a container's name must not have. */
export const namelessTexts: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom(...'.!?#%& +*~;'),
  minLength: 1,
  maxLength: 5,
});
