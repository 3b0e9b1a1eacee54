import { type CheckContext, check, fixture } from '../../../harness/check.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { LiveExchange } from '../../../harness/engine/live-exchange.ts';
import { expectValue } from '../../../harness/expect/expect.ts';
import { ignoresQuery, knowsOnly, takesQueryAs } from '../../../harness/faults/requests.ts';
import { losesInput } from '../../../harness/faults/streams.ts';
import type { RuleId } from '../../../specs/catalogue.ts';
import { no, yes } from '../../support/spellings.ts';
import { type Client, type Echo, makeEcho } from './echo.ts';
import { ifThere } from './tried-together.ts';

type Attach = 'containers.attach' | 'containers.attach-ws';

/**
 * Checks when the process receives what a client sends, for one way to attach.
 * @param taken the rule that stdin is passed on
 * @param clientOf attaches with a value of stdin, or without one
 * @param selected the rule that stdin is passed on only where it was asked for, if there is one
 */
export function checkInput(
  attach: Attach,
  taken: RuleId,
  clientOf: (engine: Engine, echo: Echo, stdin?: string) => Promise<Client>,
  selected?: RuleId,
): void {
  const alwaysTaken = takesQueryAs('stdin', '1');

  const unheard = [undefined, ...no];

  /** All clients at one container, which saves a container for each rule. */
  const together = fixture(`what a process gets of the clients of ${attach}`, async ({ engine }) => {
    const echo = await makeEcho(engine, 2 * yes.length);
    const lives = new Map<string | undefined, LiveExchange>();
    const clientWith = async (stdin?: string) => {
      const client = await clientOf(engine, echo, stdin);
      lives.set(stdin, client.live);
      return client;
    };
    const silent: Client[] = [];
    for (const stdin of unheard) silent.push(await clientWith(stdin));
    async function* speaking() {
      for (const stdin of yes) yield await clientWith(stdin);
    }
    return { lives, ...(await echo.hearsAll(silent, speaking)) };
  });

  /** Judges by all clients together, which can only show that the rule is kept, or else as given. */
  async function judge(
    { engine, use }: CheckContext,
    values: readonly (string | undefined)[],
    alone: (echo: Echo) => Promise<void>,
  ): Promise<void> {
    const shown = await ifThere(use(together));
    if (!shown || shown.stdout !== shown.said) return alone(await makeEcho(engine, 2 * values.length));
    const clients = values.flatMap((stdin) => shown.lives.get(stdin) ?? []);
    expectValue('what the process wrote', shown.stdout, [...clients, shown.log]).toBe(shown.said);
  }

  check(taken, { faults: [losesInput(), ignoresQuery('stdin')], slowToFail: true }, (context) =>
    judge(context, ['1'], async (echo) => echo.expectHeard(await clientOf(context.engine, echo, '1'))),
  );

  check(`${attach}.stdin-default-false`, { faults: [alwaysTaken] }, (context) =>
    judge(context, [undefined], async (echo) => echo.expectUnheard(await clientOf(context.engine, echo))),
  );

  if (selected !== undefined) {
    check(selected, { faults: [ignoresQuery('stdin'), alwaysTaken], slowToFail: true }, (context) =>
      judge(context, ['1', undefined], async (echo) => {
        await echo.expectHeard(await clientOf(context.engine, echo, '1'));
        await echo.expectUnheard(await clientOf(context.engine, echo));
      }),
    );
  }

  check(`${attach}.stdin-spellings`, { faults: [knowsOnly('stdin', '1'), alwaysTaken], slowToFail: true }, (context) =>
    judge(context, [...yes, ...no], async (echo) => {
      for (const stdin of yes) await echo.expectHeard(await clientOf(context.engine, echo, stdin));
      for (const stdin of no) await echo.expectUnheard(await clientOf(context.engine, echo, stdin));
    }),
  );
}
