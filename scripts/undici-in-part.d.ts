import type { Plugin } from 'vite';

/** Takes what is used of undici for all of it. What this does not export, the build finds missing. */
export const undiciInPart: Plugin;
