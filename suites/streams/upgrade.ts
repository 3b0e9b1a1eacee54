import { check } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { given } from '../../harness/engine/given.ts';
import { expect } from '../../harness/expect/expect.ts';
import { answersStatus, dropsHeader, setsHeader } from '../../harness/faults/answers.ts';
import type { StreamSource } from './source.ts';

/** The checks of the upgrade of the connection, which all endpoints with a hijacked stream have alike. */
export function checkUpgrade(source: StreamSource): void {
  const prefix = `${source.endpoint}.stream` as const;
  const ask = async (engine: Engine, way: 'upgraded' | 'plain') => {
    const { live } = await source.open(engine, { run: ['out', 'to stdout\\n'] }, way);
    return live;
  };

  check(`${prefix}.upgrade-answers-101`, { faults: [answersStatus(200, 101)] }, async ({ engine }) => {
    expect(await ask(engine, 'upgraded')).toHaveStatus(101);
  });

  check(`${prefix}.no-upgrade-answers-200`, { faults: [answersStatus(101, 200)] }, async ({ engine }) => {
    expect(await ask(engine, 'plain')).toHaveStatus(200);
  });

  for (const [header, value, other] of [
    ['Upgrade', 'tcp', 'websocket'],
    ['Connection', 'Upgrade', 'close'],
  ] as const) {
    const faults = [dropsHeader(header), setsHeader(header, other)];
    check(`${prefix}.repeats-${header}`, { faults }, async ({ engine }) => {
      expect(await given(ask(engine, 'upgraded'), 101)).toHaveHeader(header, value);
    });
  }

  const faults = [dropsHeader('Content-Type'), setsHeader('Content-Type', 'application/octet-stream')];
  check(`${prefix}.upgraded-media-type`, { faults }, async ({ engine }) => {
    expect(await given(ask(engine, 'upgraded'), 101)).toHaveMediaType('application/vnd.engine.raw-stream');
  });
}
