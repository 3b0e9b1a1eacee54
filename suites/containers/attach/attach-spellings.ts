import { check, fixture } from '../../../harness/check.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { LiveExchange } from '../../../harness/engine/live-exchange.ts';
import type { Query } from '../../../harness/engine/query.ts';
import { expectValue } from '../../../harness/expect/expect.ts';
import { knowsOnly, takesQueryAs } from '../../../harness/faults/requests.ts';
import { ifRight, ifThere, withOthers } from '../../support/shared-results.ts';
import { no, yes } from '../../support/spellings.ts';
import {
  after,
  attached,
  before,
  type Came,
  came,
  hasCome,
  hasWrittenAgain,
  logged,
  makeWriter,
  type Output,
  type Rest,
  restOf,
} from './support/attached-writer.ts';

/** A client that spells a flag in one of the six ways. */
interface Client {
  readonly spelling: string;
  readonly query: Query;
  /** The output that is judged, and what has to come of it. */
  readonly output: Output;
  readonly wanted: string;
  /** The output to wait for, when the client asks for the log alone. */
  readonly until?: Output;
}

const flags = ['logs', 'stream', 'stdout', 'stderr'] as const;
type Flag = (typeof flags)[number];

function ofOutput(output: Output, other: Output): Client[] {
  const queryWith = (spelling: string) => ({ logs: true, [output]: spelling, [other]: true });
  return [
    ...yes.map((spelling) => ({
      spelling,
      query: queryWith(spelling),
      output,
      wanted: before[output],
      until: output,
    })),
    ...no.map((spelling) => ({ spelling, query: queryWith(spelling), output, wanted: '', until: other })),
  ];
}

const log = { output: 'stdout', wanted: before.stdout, until: 'stdout' } as const;
const stream = { output: 'stdout', wanted: after.stdout } as const;

const clients: Readonly<Record<Flag, readonly Client[]>> = {
  logs: [
    ...yes.map((spelling) => ({ ...log, spelling, query: { logs: spelling, stdout: true } })),
    ...no.map((spelling) => ({ ...stream, spelling, query: { stream: true, logs: spelling, stdout: true } })),
  ],
  stream: [
    ...yes.map((spelling) => ({ ...stream, spelling, query: { stream: spelling, stdout: true } })),
    ...no.map((spelling) => ({ ...log, spelling, query: { logs: true, stdout: true, stream: spelling } })),
  ],
  stdout: ofOutput('stdout', 'stderr'),
  stderr: ofOutput('stderr', 'stdout'),
};

/** What clients of one container get that attach one after another, before its process writes again and ends. */
async function served(engine: Engine, asked: readonly Client[]): Promise<readonly Rest[]> {
  const container = await makeWriter(engine);
  const lives: LiveExchange[] = [];
  for (const client of asked) {
    const live = await attached(container, client.query);
    // A log that is read later than it was asked for would include what is written next.
    if (client.until) await hasCome(live, client.until, before[client.until]);
    lives.push(live);
  }
  // Whether a stream without `stream` ends before the container does is left open.
  await hasWrittenAgain(container);
  return Promise.all(lives.map(restOf));
}

/** The clients of all flags on one container, which saves a container for each flag. */
const together = fixture('what clients get that spell the flags of attach in all ways', async ({ engine }) => {
  const rests = [...(await served(engine, Object.values(clients).flat()))];
  return new Map(flags.map((flag) => [flag, rests.splice(0, clients[flag].length)]));
});

/** A client on a container of its own: what several get at once is for another rule. */
async function alone(engine: Engine, flag: Flag, client: Client): Promise<Rest> {
  if (flag === 'stdout' || flag === 'stderr') {
    return logged(engine, { query: client.query, until: [client.until ?? client.output] });
  }
  const [rest] = await served(engine, [client]);
  if (!rest) throw new Error('a client was asked for');
  return rest;
}

for (const flag of flags) {
  const faults = [knowsOnly(flag, '1'), takesQueryAs(flag, '1')];
  check(`containers.attach.${flag}-spellings`, { faults }, async ({ engine, use }) => {
    const shown = (await ifThere(use(together)))?.get(flag);
    for (const [place, client] of clients[flag].entries()) {
      const { spelling, output, wanted } = client;
      const rest = shown?.[place];
      const isRight = (came: Came) => came[output] === wanted;
      const one = ifRight(rest && (await ifThere(came(rest))), isRight, withOthers, ({ live }) => live);
      const { live, ...carried } = one ?? (await came(alone(engine, flag, client)));
      expectValue(`what came with ${flag}=${spelling}`, carried[output], [live]).toBe(wanted);
    }
  });
}
