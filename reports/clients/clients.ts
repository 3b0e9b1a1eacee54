import { readFileSync } from 'node:fs';
import { endpointTitle } from '../../specs/endpoint.ts';
import type { Rule } from '../../specs/rule.ts';

/** A client that was recorded on the reference engine, by `tests/clients`. */
interface RecordedClient {
  readonly name: string;
  readonly file: string;
}

const dockerName = 'docker 20.10, API 1.23';

const recorded: readonly RecordedClient[] = [
  { name: dockerName, file: 'docker.json' },
  { name: 'dockerode 5, API 1.23', file: 'dockerode.json' },
];

/**
 * The use of an endpoint by a client: its commands or methods, with the query parameters that each was seen to send.
 */
export interface ClientUse {
  readonly client: string;
  readonly commands: Readonly<Record<string, readonly string[]>>;
}

/** The clients that use the endpoint of a rule. */
export function clientsOf({ endpoint }: Rule): readonly ClientUse[] {
  if (!endpoint) return [];
  return recorded.flatMap(({ name, file }) => {
    const usage: Readonly<Record<string, ClientUse['commands'] | undefined>> = recordIn(file);
    const commands = usage[endpointTitle(endpoint)];
    return commands ? [{ client: name, commands }] : [];
  });
}

/** What commands of a client did on a daemon that broke a rule, as measured. */
export interface ClientTrip {
  readonly client: string;
  /** The fault with which the daemon broke it. */
  readonly fault: string;
  /** By command: `fails`, `prints something else` or `works all the same`. */
  readonly commands: Readonly<Record<string, string>>;
}

/** The clients that were measured on a daemon that breaks a rule. */
export function tripsOver({ id }: Rule): readonly ClientTrip[] {
  const tried: Readonly<Record<string, Omit<ClientTrip, 'client'> | undefined>> = recordIn('docker-trips.json');
  return tried[id] ? [{ client: dockerName, ...tried[id] }] : [];
}

const read = new Map<string, ReturnType<typeof JSON.parse>>();

function recordIn(file: string) {
  const known = read.get(file) ?? JSON.parse(readFileSync(new URL(`./${file}`, import.meta.url), 'utf8'));
  read.set(file, known);
  return known;
}
