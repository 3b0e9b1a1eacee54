import type { Check } from '../../harness/check.ts';
import { endpointTitle } from '../../specs/endpoint.ts';
import { commandName, type Docker } from './docker/command.ts';
import type { FaultyDoor } from './faulty-door.ts';

/** What a command does on a daemon that does not keep a rule. */
type Trip = 'fails' | 'prints something else' | 'works all the same';

/** The fault by which a rule was not kept, and what the commands did. */
export interface Tried {
  readonly fault: string;
  readonly commands: Readonly<Record<string, Trip>>;
}

/** Commands that only read, or may be repeated, by the endpoint that decides what they print. */
export const commandsOn: Readonly<Record<string, readonly string[]>> = {
  'GET /_ping': ['ps -a'],
  'GET /containers/json': ['ps -a --no-trunc'],
  'GET /containers/{id}/json': ['port subject', 'logs subject'],
  'GET /containers/{id}/logs': ['logs --timestamps subject'],
  'GET /containers/{id}/top': ['top subject'],
  'GET /containers/{id}/changes': ['diff subject'],
  'GET /containers/{id}/archive': ['cp subject:/data/one.txt -'],
  'HEAD /containers/{id}/archive': ['cp subject:/data/one.txt -'],
  'POST /containers/{id}/stop': ['stop ended'],
  'POST /containers/{id}/wait': ['wait ended'],
  'GET /images/json': ['images --no-trunc'],
  'GET /images/{name}/history': ['history --no-trunc day/app:1'],
  'POST /images/{name}/tag': ['tag day/app:1 day/again:1'],
  'GET /images/search': ['search INDEX/found'],
  'GET /info': ['info'],
  'GET /version': ['version'],
  'GET /events': ['events --since 1h --until NOW'],
  'GET /volumes': ['volume ls'],
  'POST /volumes/create': ['volume create kept'],
  'GET /networks': ['network ls --no-trunc'],
};

/** What the commands say, by the command as it stands in `commandsOn`. */
export class Trips {
  readonly #docker: Docker;
  readonly #door: FaultyDoor;
  readonly #words: Readonly<Record<string, string>>;
  readonly #right = new Map<string, string>();

  /** @param words what stands in commands for what is known only when they run */
  constructor(docker: Docker, door: FaultyDoor, words: Readonly<Record<string, string>>) {
    this.#docker = docker;
    this.#door = door;
    this.#words = words;
  }

  /** What the commands on a rule's endpoint do under the first fault of its answer; undefined when there is none. */
  async of({ rule, faults }: Check): Promise<Tried | undefined> {
    const title = rule.endpoint ? endpointTitle(rule.endpoint) : '';
    const fault = faults.find((one) => (one.answer ?? one.incoming) && !one.request);
    const commands: Record<string, Trip> = {};
    if (!fault) return undefined;
    for (const command of commandsOn[title] ?? []) {
      const right = await this.#rightly(command);
      this.#door.pretend(fault, title);
      const seen = await this.#said(command);
      this.#door.pretend();
      commands[commandName(command)] = tripOf(right, seen);
    }
    return { fault: fault.name, commands };
  }

  /** What a command says on the daemon as it is, which has to be the same twice. */
  async #rightly(command: string): Promise<string> {
    const known = this.#right.get(command);
    if (known !== undefined) return known;
    const [once, twice] = [await this.#said(command), await this.#said(command)];
    if (once !== twice) throw new Error(`docker ${command} says one thing and then another:\n${once}\n${twice}`);
    this.#right.set(command, once);
    return once;
  }

  async #said(command: string): Promise<string> {
    const line = command.replace(/[A-Z]{2,}/g, (word) => this.#words[word] ?? word);
    const { status, stdout, stderr } = await this.#docker.run(line);
    return `${status}\n${steady(stdout)}\n${steady(stderr)}`;
  }
}

function tripOf(right: string, seen: string): Trip {
  if (seen === right) return 'works all the same';
  return statusOf(seen) === statusOf(right) ? 'prints something else' : 'fails';
}

function statusOf(said: string): string {
  return said.slice(0, said.indexOf('\n'));
}

/** How long ago something was goes on while one looks. */
function steady(text: string): string {
  return text.replace(/(Less than|About|\d+) (a |an )?(second|minute|hour)s?( ago)?/g, 'AGE').replace(/ {2,}/g, '  ');
}
