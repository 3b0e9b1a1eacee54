import { inputProperties } from './inputs.ts';
import { modelProperties } from './models.ts';

/** Properties: each decides many rules at once with generated tests. */
export const generatedRules = { ...inputProperties, ...modelProperties };
