import { check } from '../../../harness/check.ts';
import { given } from '../../../harness/engine/given.ts';
import { expect } from '../../../harness/expect/expect.ts';
import { answersStatus, dropsHeader, setsHeader } from '../../../harness/faults/answers.ts';
import { doneOnce } from '../done-once.ts';
import type { StreamSource, Way } from './stream-source.ts';

const sendsRaw = setsHeader('Content-Type', 'application/vnd.engine.raw-stream');

/** The checks of the connection upgrade that all endpoints with a hijacked stream share. */
export function checkUpgrade(source: StreamSource): void {
  const prefix = `${source.endpoint}.stream` as const;
  const headOf = (way: Way) =>
    doneOnce(`the head of the answer of ${source.endpoint}, ${way}`, async (context) => {
      const live = await source.ask(context, way);
      live.drop();
      return live;
    });
  const [upgraded, plain] = [headOf('upgraded'), headOf('plain')];

  check(`${prefix}.upgrade-answers-101`, { faults: [answersStatus(200, 101)] }, async (context) => {
    expect(await upgraded(context)).toHaveStatus(101);
  });

  check(`${prefix}.no-upgrade-answers-200`, { faults: [answersStatus(101, 200)] }, async (context) => {
    expect(await plain(context)).toHaveStatus(200);
  });

  for (const [header, value, other] of [
    ['Upgrade', 'tcp', 'websocket'],
    ['Connection', 'Upgrade', 'close'],
  ] as const) {
    const faults = [dropsHeader(header), setsHeader(header, other)];
    check(`${prefix}.repeats-${header}`, { faults }, async (context) => {
      expect(await given(upgraded(context), 101)).toHaveHeader(header, value);
    });
  }

  const faults = [dropsHeader('Content-Type'), setsHeader('Content-Type', 'application/octet-stream')];
  check(`${prefix}.upgraded-media-type`, { faults }, async (context) => {
    expect(await given(upgraded(context), 101)).toHaveMediaType('application/vnd.engine.raw-stream');
  });

  // In the versions of these rules, logs have no upgrade.
  const [way, status] = source.fromLog ? (['plain', 200] as const) : (['upgraded', 101] as const);
  const head = source.fromLog ? plain : upgraded;

  check(`${prefix}.multiplexed-media-type`, { faults: [...faults, sendsRaw] }, async (context) => {
    expect(await given(head(context), status)).toHaveMediaType('application/vnd.engine.multiplexed-stream');
  });

  check(`${prefix}.tty-media-type`, { faults }, async (context) => {
    expect(await given(source.ask(context, way, true), status)).toHaveMediaType('application/vnd.engine.raw-stream');
  });
}
