import { auth, authRules } from './auth.ts';
import { events, eventsRules } from './events.ts';
import { info, infoRules } from './info.ts';
import { ping, pingRules } from './ping.ts';
import { version, versionRules } from './version.ts';

/** The endpoints of Document 3, System, in its order. */
export const systemEndpoints = [auth, info, version, ping, events] as const;

export const systemRules = {
  ...authRules,
  ...infoRules,
  ...versionRules,
  ...pingRules,
  ...eventsRules,
};
