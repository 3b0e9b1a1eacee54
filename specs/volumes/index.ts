import { create, createRules } from './create.ts';
import { inspect, inspectRules } from './inspect.ts';
import { list, listRules } from './list.ts';
import { remove, removeRules } from './remove.ts';

/** The endpoints for volumes, in the order of Document 3. */
export const volumeEndpoints = [list, create, inspect, remove] as const;

export const volumeRules = { ...listRules, ...createRules, ...inspectRules, ...removeRules };
