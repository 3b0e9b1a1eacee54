import { visible } from '../../reports/visible.ts';
import type { Explanation } from './explanation.ts';
import { reviewedEngines } from './seen.ts';

/** A client's further commands are counted but not named. */
const mostCommands = 12;

/** The clients that use the endpoint of a rule. */
export function clientLines({ clients, endpoint }: Pick<Explanation, 'clients' | 'endpoint'>): string[] {
  if (endpoint === undefined) return ['none: the rule belongs to no endpoint'];
  if (clients.length === 0) return ['no client that was tried uses this endpoint'];
  return clients.map(({ client, commands }) => {
    const used = Object.entries(commands).map(
      ([name, sent]) => name + (sent.length > 0 ? ` (${sent.join(', ')})` : ''),
    );
    return `${client}: ${used.length > mostCommands ? `${used.length} commands` : used.join(', ')}`;
  });
}

/** The reviewed engines that deviate from a rule. */
export function seenLines({ seen }: Pick<Explanation, 'seen'>): string[] {
  if (seen.length === 0) return [`none: no deviation is on record for ${reviewedEngines().join(' or ')}`];
  return seen.map(({ engine, apis, does, reason, kind }) => {
    const said = kind === undefined ? reason : `${kind}: ${reason}`;
    return `${engine} [${apis.join(', ')}]: ${does} (${said})`;
  });
}

/** What commands of clients did on a daemon that broke a rule. */
export function tripLines({ trips, clients, endpoint }: Pick<Explanation, 'trips' | 'clients' | 'endpoint'>): string[] {
  if (endpoint === undefined || clients.length === 0) return [];
  if (trips.length === 0) return ['not measured'];
  return trips.map(({ client, fault, commands }) => {
    const did = Object.entries(commands).map(([command, trip]) => `${command} ${trip}`);
    return `${did.join(', ')}, on a daemon that ${visible(fault)} (${client})`;
  });
}
