/**
 * All of undici takes three times as long to load as what every command uses. Only the reference engine's client of
 * registries fetches, so that part is loaded when it does.
 */
const used = `
export { default as Client } from 'undici/lib/dispatcher/client.js';
export { default as Pool } from 'undici/lib/dispatcher/pool.js';
export const fetch = async (...given) => (await import('undici/lib/web/fetch/index.js')).default.fetch(...given);
`;
const own = '\0undici';

/** Takes what is used of undici for all of it. What this does not export, the build finds missing. */
export const undiciInPart = {
  name: 'undici in part',
  enforce: 'pre',
  resolveId: (source) => (source === 'undici' ? own : undefined),
  load: (id) => (id === own ? used : undefined),
};
