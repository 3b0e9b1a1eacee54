import type { Endpoint } from '../endpoint.ts';
import { info, infoRules } from './info.ts';
import { ping, pingRules } from './ping.ts';
import { version, versionRules } from './version.ts';

/** The endpoints of Document 3, System, in its order. */
export const systemEndpoints: readonly Endpoint[] = [info, version, ping];

export const systemRules = { ...infoRules, ...versionRules, ...pingRules };
