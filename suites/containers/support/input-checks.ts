import { check } from '../../../harness/check.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import { ignoresQuery, knowsOnly, takesQueryAs } from '../../../harness/faults/requests.ts';
import { losesInput } from '../../../harness/faults/streams.ts';
import type { RuleId } from '../../../specs/catalogue.ts';
import { no, yes } from '../../support/spellings.ts';
import { type Client, type Echo, makeEcho } from './echo.ts';

type Attach = 'containers.attach' | 'containers.attach-ws';

/**
 * Checks when the process receives what a client sends, for one way to attach.
 * @param taken the rule that stdin is passed on
 * @param clientOf attaches with a value of stdin, or without one
 */
export function checkInput(
  attach: Attach,
  taken: RuleId,
  clientOf: (engine: Engine, echo: Echo, stdin?: string) => Promise<Client>,
): void {
  const alwaysTaken = takesQueryAs('stdin', '1');

  check(taken, { faults: [losesInput(), ignoresQuery('stdin')] }, async ({ engine }) => {
    const echo = await makeEcho(engine);
    await echo.expectHeard(await clientOf(engine, echo, '1'));
  });

  check(`${attach}.stdin-default-false`, { faults: [alwaysTaken] }, async ({ engine }) => {
    const echo = await makeEcho(engine);
    await echo.expectUnheard(await clientOf(engine, echo));
  });

  check(`${attach}.stdin-spellings`, { faults: [knowsOnly('stdin', '1'), alwaysTaken] }, async ({ engine }) => {
    const echo = await makeEcho(engine, 2 * yes.length + 2 * no.length);
    for (const stdin of yes) await echo.expectHeard(await clientOf(engine, echo, stdin));
    for (const stdin of no) await echo.expectUnheard(await clientOf(engine, echo, stdin));
  });
}
