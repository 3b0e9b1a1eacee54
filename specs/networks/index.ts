import { connect, connectRules, disconnect, disconnectRules } from './connect.ts';
import { create, createRules } from './create.ts';
import { inspect, inspectRules } from './inspect.ts';
import { list, listRules } from './list.ts';
import { remove, removeRules } from './remove.ts';

/** The endpoints for networks, in the order of Document 3. */
export const networkEndpoints = [list, inspect, create, connect, disconnect, remove] as const;

export const networkRules = {
  ...listRules,
  ...inspectRules,
  ...createRules,
  ...connectRules,
  ...disconnectRules,
  ...removeRules,
};
