import { hostileProperties } from './hostile.ts';
import { inputProperties, tokenProperties } from './inputs.ts';
import { modelProperties } from './models.ts';
import { streamProperties } from './streams.ts';
import { versionProperties } from './versions.ts';

/** Properties: each decides many rules at once with generated tests. */
export const generatedRules = {
  ...inputProperties,
  ...tokenProperties,
  ...versionProperties,
  ...modelProperties,
  ...streamProperties,
  ...hostileProperties,
};
