import { type CheckContext, check, fixture } from '../../../harness/check.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import { settled } from '../../../harness/engine/given.ts';
import type { LiveExchange } from '../../../harness/engine/live-exchange.ts';
import type { Query } from '../../../harness/engine/query.ts';
import { expectValue } from '../../../harness/expect/expect.ts';
import { ignoresQuery, knowsOnly, takesBodyFieldAs, takesQueryAs } from '../../../harness/faults/requests.ts';
import { losesInput } from '../../../harness/faults/streams.ts';
import type { RuleId } from '../../../specs/catalogue.ts';
import { ifRight, ifThere, withOthers } from '../../support/shared-results.ts';
import { no, yes } from '../../support/spellings.ts';
import { type Client, type Echo, makeEcho, type Written } from './echo.ts';

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
 * @param rules the rules, if there are any, that stdin is passed on only where it was asked for (`selected`), and that it stays
 *   open when a client leaves (`lasting`)
 */
export function checkInput(
  attach: Attach,
  taken: RuleId,
  clientOf: (engine: Engine, echo: Echo, query: Query) => Promise<Client>,
  { selected, lasting }: { readonly selected?: RuleId; readonly lasting?: RuleId } = {},
): void {
  const alwaysTaken = takesQueryAs('stdin', '1');

  /** All clients at one container, which saves a container for each rule. */
  const together = fixture(`what a process gets of the clients of ${attach}`, async ({ engine }) => {
    const echo = await makeEcho(engine, 2 * (yes.length + (lasting ? 1 : 0)), lasting !== undefined);
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
    return { echo, lives, ...(await echo.hearsAll(silent, speaking)) };
  });
  const isHeard = ({ stdout, said }: Written) => stdout === said;

  /** Judges by all clients together, which can only show that the rule is kept, or else as given. */
  async function judge(
    { engine, use }: CheckContext,
    queries: readonly Query[],
    alone: (echo: Echo) => Promise<void>,
  ): Promise<void> {
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
    check(`${attach}.${rule}`, { faults, slowToFail: true }, (context) =>
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

  if (lasting !== undefined) {
    const afterAll = fixture(`what a process gets when the clients of ${attach} have left`, async ({ engine, use }) => {
      const { echo, lives } = await use(together);
      return settled(
        echo.hearsLast([...lives.values()], () => clientOf(engine, echo, heard)),
        'waiting for what was sent',
      );
    });
    check(lasting, { faults: [takesBodyFieldAs('StdinOnce', true)], slowToFail: true }, async ({ engine, use }) => {
      const shown = ifRight(await ifThere(use(afterAll)), isHeard, withOthers, ({ log }) => log);
      const { stdout, said, log } = shown ?? (await heardAfterOne(engine));
      expectValue('what the process wrote', stdout, [log]).toBe(said);
    });
  }

  /** What a process gets of a client when the only other one has left. */
  async function heardAfterOne(engine: Engine): Promise<Written> {
    const echo = await makeEcho(engine, 4, true);
    const next = () => clientOf(engine, echo, heard);
    const first = await next();
    await settled(echo.expectHeard(first), 'waiting for what a first client sent');
    return echo.hearsLast([first.live], next);
  }

  check(`${attach}.stdin-spellings`, { faults: [knowsOnly('stdin', '1'), alwaysTaken], slowToFail: true }, (context) =>
    judge(context, [...spelt.yes, ...spelt.no], async (echo) => {
      for (const query of spelt.yes) await echo.expectHeard(await clientOf(context.engine, echo, query));
      const silent: Client[] = [];
      for (const query of spelt.no) silent.push(await clientOf(context.engine, echo, query));
      await echo.expectUnheard(...silent);
    }),
  );
}
