import { check } from '../../../harness/check.ts';
import { given } from '../../../harness/engine/given.ts';
import { expect } from '../../../harness/expect/expect.ts';
import { answersStatus, dropsHeader, setsHeader } from '../../../harness/faults/answers.ts';
import type { SourceContext, StreamSource } from './stream-source.ts';

const sendsRaw = setsHeader('Content-Type', 'application/vnd.engine.raw-stream');

/** The checks of the connection upgrade that all endpoints with a hijacked stream share. */
export function checkUpgrade(source: StreamSource): void {
  const prefix = `${source.endpoint}.stream` as const;
  check(`${prefix}.upgrade-answers-101`, { faults: [answersStatus(200, 101)] }, async (context) => {
    expect(await source.ask(context, 'upgraded')).toHaveStatus(101);
  });

  check(`${prefix}.no-upgrade-answers-200`, { faults: [answersStatus(101, 200)] }, async (context) => {
    expect(await source.ask(context, 'plain')).toHaveStatus(200);
  });

  for (const [header, value, other] of [
    ['Upgrade', 'tcp', 'websocket'],
    ['Connection', 'Upgrade', 'close'],
  ] as const) {
    const faults = [dropsHeader(header), setsHeader(header, other)];
    check(`${prefix}.repeats-${header}`, { faults }, async (context) => {
      expect(await given(source.ask(context, 'upgraded'), 101)).toHaveHeader(header, value);
    });
  }

  const faults = [dropsHeader('Content-Type'), setsHeader('Content-Type', 'application/octet-stream')];
  check(`${prefix}.upgraded-media-type`, { faults }, async (context) => {
    expect(await given(source.ask(context, 'upgraded'), 101)).toHaveMediaType('application/vnd.engine.raw-stream');
  });

  // In the versions of these rules, logs have no upgrade.
  const ask = (context: SourceContext, tty: boolean) =>
    source.fromLog ? given(source.ask(context, 'plain', tty), 200) : given(source.ask(context, 'upgraded', tty), 101);

  check(`${prefix}.multiplexed-media-type`, { faults: [...faults, sendsRaw] }, async (context) => {
    expect(await ask(context, false)).toHaveMediaType('application/vnd.engine.multiplexed-stream');
  });

  check(`${prefix}.tty-media-type`, { faults }, async (context) => {
    expect(await ask(context, true)).toHaveMediaType('application/vnd.engine.raw-stream');
  });
}
