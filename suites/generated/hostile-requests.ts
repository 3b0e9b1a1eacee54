import fc from 'fast-check';
import { check } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { settled } from '../../harness/engine/given.ts';
import { hostileRequests } from '../../harness/generators/hostile-requests.ts';
import { forAll } from '../../harness/property/for-all.ts';
import { judgeHealth, Tally, unwell } from './support/health.ts';

/** How long to wait for an answer, and for the end of a request that gets none. */
const [answerMs, silentMs] = [3_000, 100];

check('generated.hostile.requests', { faults: unwell }, async (context) => {
  const tally = new Tally();
  const requests = fc.array(hostileRequests, { minLength: 1, maxLength: 10, size: 'max' });
  await forAll(context, requests, { runs: 3 }, async (hostile, trial) => {
    const { engine } = trial;
    const { name: container } = await makeContainer(engine);
    for (const { words, after, isWhole, bytes } of hostile) {
      trial.step(words);
      const newName = engine.name('container');
      engine.made({ kind: 'container', name: newName });
      const sent = bytes({ prefix: `/v${engine.api}`, container, newName, image: engine.sandbox.image });
      const [, method = 'GET', path = '/'] =
        /^([A-Z]+) \/v[\d.]+(\/[!-~]{1,200})/.exec(sent.toString('latin1', 0, 300)) ?? [];
      const options = { method, path, after, waitMs: isWhole ? answerMs : silentMs };
      tally.add((await settled(engine.raw(sent, options), `the connection for this: ${words};`)).outcome);
    }
    await judgeHealth(trial);
  });
  tally.tell();
});
