import { readFileSync } from 'node:fs';
import { endpointTitle } from '../../specs/endpoint.ts';
import type { Rule } from '../../specs/rule.ts';

/** A client that was recorded on the reference engine, by `tests/clients`. */
interface RecordedClient {
  readonly name: string;
  readonly file: string;
}

const recorded: readonly RecordedClient[] = [
  { name: 'docker 20.10, API 1.23', file: 'docker.json' },
  { name: 'dockerode 5, API 1.23', file: 'dockerode.json' },
];

/** What a client does on an endpoint: its commands or methods, with the query parameters that each was seen to send. */
export interface ClientUse {
  readonly client: string;
  readonly commands: Readonly<Record<string, readonly string[]>>;
}

/** The clients that use the endpoint of a rule. */
export function clientsOf({ endpoint }: Rule): readonly ClientUse[] {
  if (!endpoint) return [];
  return recorded.flatMap(({ name, file }) => {
    const commands = usageIn(file)[endpointTitle(endpoint)];
    return commands ? [{ client: name, commands }] : [];
  });
}

type Usage = Readonly<Record<string, ClientUse['commands'] | undefined>>;

function usageIn(file: string): Usage {
  return JSON.parse(readFileSync(new URL(`./clients/${file}`, import.meta.url), 'utf8'));
}
