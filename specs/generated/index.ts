import { hostileProperties } from './hostile.ts';
import { inputProperties } from './inputs.ts';
import { modelProperties } from './models.ts';
import { streamProperties } from './streams.ts';

/** Properties: each decides many rules at once with generated tests. */
export const generatedRules = { ...inputProperties, ...modelProperties, ...streamProperties, ...hostileProperties };
