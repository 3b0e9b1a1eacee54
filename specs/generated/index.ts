import { inputProperties } from './inputs.ts';

/** Properties: each decides many rules at once with generated tests. */
export const generatedRules = { ...inputProperties };
