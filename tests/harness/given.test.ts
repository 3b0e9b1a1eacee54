import { describe, expect, test } from 'vitest';
import { control, given, settled } from '../../harness/engine/given.ts';
import { expect as expectAnswer } from '../../harness/expect/expect.ts';
import { TransportError } from '../../harness/transport/errors.ts';
import { Deviation } from '../../harness/verdict/outcomes.ts';
import { engineAt } from './engines.ts';
import { httpServer } from './servers.ts';

/** A daemon that answers /status/N with status N, and /broken with nothing. */
async function daemon() {
  const address = await httpServer((request, answer) => {
    const [, status] = /\/status\/(\d+)$/.exec(request.url ?? '') ?? [];
    if (status === undefined) request.socket.destroy();
    else answer.writeHead(Number(status)).end('said so');
  });
  return engineAt(address);
}

describe('a step before the assertion', () => {
  test.each([
    [
      'given',
      given,
      /^the setup step POST \/v1\.20\/status\/500 \(x1\) answered 500 with "said so"; 201 or 204 was needed$/,
    ],
    [
      'control',
      control,
      /^the positive control POST \/v1\.20\/status\/500 \(x1\) answered 500 with "said so"; 201 or 204 was needed$/,
    ],
  ])('marked %s blocks the rule when it gets another status', async (_name, step, reason) => {
    const { verdict } = await daemon();
    const decision = await verdict(async (engine) => {
      await step(engine.post('/status/500'), 201, 204);
    });
    expect(decision).toMatchObject({ verdict: 'blocked', evidence: ['x1'], broken: false });
    expect(decision.reason).toMatch(reason);
  });

  test.each([
    ['given', given],
    ['control', control],
  ])('marked %s blocks the rule when it gets no answer, and the target may be gone', async (_name, step) => {
    const { verdict } = await daemon();
    const decision = await verdict(async (engine) => {
      await step(engine.post('/broken'), 204);
    });
    expect(decision).toMatchObject({ verdict: 'blocked', evidence: ['x1'], broken: true });
  });

  test('that succeeds is no assertion', async () => {
    const { verdict } = await daemon();
    const decision = await verdict(async (engine) => {
      await given(engine.post('/status/201'), 201);
    });
    expect(decision).toMatchObject({ verdict: 'error', reason: expect.stringContaining('without an assertion') });
  });

  test('without a mark is judged: no answer is a deviation', async () => {
    const { verdict } = await daemon();
    const decision = await verdict(async (engine) => {
      expectAnswer(await engine.post('/broken')).toHaveStatus(204);
    });
    expect(decision).toMatchObject({ verdict: 'fail', expected: 'a whole answer', evidence: ['x1'], broken: true });
  });

  test('turns deviations and failures of the transport into blocked, and nothing else', async () => {
    const wait = (error: Error) => settled(Promise.reject(error), 'waiting');
    await expect(wait(new Deviation('a', 'b'))).rejects.toMatchObject({ name: 'Blocked' });
    await expect(wait(new TransportError('closed', 'gone'))).rejects.toMatchObject({
      name: 'Blocked',
      message: 'waiting failed: gone',
    });
    await expect(wait(new TypeError('a mistake'))).rejects.toBeInstanceOf(TypeError);
  });
});
