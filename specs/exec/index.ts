import { create, createRules } from './create.ts';
import { inspect, inspectRules } from './inspect.ts';
import { resize, resizeRules } from './resize.ts';
import { start, startRules } from './start.ts';

/** The endpoints for exec instances, in the order of Document 3. */
export const execEndpoints = [create, start, resize, inspect] as const;

export const execRules = { ...createRules, ...startRules, ...resizeRules, ...inspectRules };
