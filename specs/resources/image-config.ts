import type { Schema } from '../schema.ts';
import { containerConfig } from './container-config.ts';

type Properties = (typeof containerConfig)['properties'];

/**
 * The configuration inside an image: only types, as the documents give it no shape (interpretation
 * `image-config-open`).
 */
export const imageConfig = {
  title: 'ImageConfig',
  type: 'object',
  properties: Object.fromEntries(
    Object.entries<Schema>(containerConfig.properties).map(([name, property]) => [
      name,
      { ...property, presence: 'optional' },
    ]),
    // biome-ignore lint/plugin: the names are those of the configuration
  ) as { readonly [Name in keyof Properties]: Schema },
} as const satisfies Schema;
