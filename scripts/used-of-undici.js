/**
 * Takes the place of undici in bundles: all of it takes three times as long to load as what every command uses. Only the
 * reference engine's client of registries fetches, so that part is loaded when it does. What this does not export, a build
 * finds missing.
 */
export { default as Client } from 'undici/lib/dispatcher/client.js';
export { default as Pool } from 'undici/lib/dispatcher/pool.js';
export const fetch = async (...given) => (await import('undici/lib/web/fetch/index.js')).default.fetch(...given);
