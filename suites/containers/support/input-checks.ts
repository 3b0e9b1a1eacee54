import { type CheckContext, check, fixture } from '../../../harness/check.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { LiveExchange } from '../../../harness/engine/live-exchange.ts';
import type { Query } from '../../../harness/engine/query.ts';
import { expectValue } from '../../../harness/expect/expect.ts';
import { ignoresQuery, knowsOnly, takesQueryAs } from '../../../harness/faults/requests.ts';
import { losesInput } from '../../../harness/faults/streams.ts';
import type { RuleId } from '../../../specs/catalogue.ts';
import { ifRight, ifThere, withOthers } from '../../support/shared-results.ts';
import { no, yes } from '../../support/spellings.ts';
import { type Client, type Echo, makeEcho } from './echo.ts';

type Attach = 'containers.attach' | 'containers.attach-ws';

/** Without stdin. */
const plain: Query = {};
const spelt = { yes: yes.map((stdin): Query => ({ stdin })), no: no.map((stdin): Query => ({ stdin })) };
const [heard = plain] = spelt.yes;
/** Asks for the log alone, and for stdin. */
const streamless: Query = { stdin: '1', stream: undefined, logs: true };

/**
 * Checks when the process receives what a client sends, for one way to attach.
 * @param taken the rule that stdin is passed on
 * @param clientOf attaches to the stream of stdout, and as a query says
 * @param selected the rule that stdin is passed on only where it was asked for, if there is one
 */
export function checkInput(
  attach: Attach,
  taken: RuleId,
  clientOf: (engine: Engine, echo: Echo, query: Query) => Promise<Client>,
  selected?: RuleId,
): void {
  const alwaysTaken = takesQueryAs('stdin', '1');

  /** All clients at one container, which saves a container for each rule. */
  const together = fixture(`what a process gets of the clients of ${attach}`, async ({ engine }) => {
    const echo = await makeEcho(engine, 2 * yes.length);
    const lives = new Map<Query, LiveExchange>();
    const clientWith = async (query: Query) => {
      const client = await clientOf(engine, echo, query);
      lives.set(query, client.live);
      return client;
    };
    const silent: Client[] = [];
    for (const query of [plain, ...spelt.no, streamless]) silent.push(await clientWith(query));
    async function* speaking() {
      for (const query of spelt.yes) yield await clientWith(query);
    }
    return { lives, ...(await echo.hearsAll(silent, speaking)) };
  });

  /** Judges by all clients together, which can only show that the rule is kept, or else as given. */
  async function judge(
    { engine, use }: CheckContext,
    queries: readonly Query[],
    alone: (echo: Echo) => Promise<void>,
  ): Promise<void> {
    const isHeard = ({ stdout, said }: { stdout: string; said: string }) => stdout === said;
    const shown = ifRight(await ifThere(use(together)), isHeard, withOthers, ({ log }) => log);
    if (!shown) return alone(await makeEcho(engine, 2 * queries.length));
    const clients = queries.flatMap((query) => shown.lives.get(query) ?? []);
    expectValue('what the process wrote', shown.stdout, [...clients, shown.log]).toBe(shown.said);
  }

  check(taken, { faults: [losesInput(), ignoresQuery('stdin')], slowToFail: true }, (context) =>
    judge(context, [heard], async (echo) => echo.expectHeard(await clientOf(context.engine, echo, heard))),
  );

  for (const [rule, query, faults] of [
    ['stdin-default-false', plain, [alwaysTaken]],
    ['stdin-without-stream', streamless, [takesQueryAs('stream', '1')]],
  ] as const) {
    check(`${attach}.${rule}`, { faults }, (context) =>
      judge(context, [query], async (echo) => echo.expectUnheard(await clientOf(context.engine, echo, query))),
    );
  }

  if (selected !== undefined) {
    check(selected, { faults: [ignoresQuery('stdin'), alwaysTaken], slowToFail: true }, (context) =>
      judge(context, [heard, plain], async (echo) => {
        await echo.expectHeard(await clientOf(context.engine, echo, heard));
        await echo.expectUnheard(await clientOf(context.engine, echo, plain));
      }),
    );
  }

  check(`${attach}.stdin-spellings`, { faults: [knowsOnly('stdin', '1'), alwaysTaken], slowToFail: true }, (context) =>
    judge(context, [...spelt.yes, ...spelt.no], async (echo) => {
      for (const query of spelt.yes) await echo.expectHeard(await clientOf(context.engine, echo, query));
      for (const query of spelt.no) await echo.expectUnheard(await clientOf(context.engine, echo, query));
    }),
  );
}
