import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { check } from '../../harness/check.ts';
import { settled } from '../../harness/engine/given.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { on } from '../../harness/faults/fault.ts';
import { swallows } from '../../harness/faults/requests.ts';
import { forAll } from '../../harness/property/for-all.ts';
import type { Trial } from '../../harness/property/trial.ts';
import {
  expectPulled,
  has,
  inspect,
  loadTagged,
  publish,
  pull,
  push,
  type Repository,
  registryAuth,
  withRegistry,
} from '../registry/support/published-images.ts';
import { judgeHealth, Tally, unwell } from './support/health.ts';

/** A client that leaves after some bytes of the answer, or after some time when fewer come. */
interface Drop {
  readonly transfer: 'pull' | 'push';
  readonly received: number;
  readonly afterMs: number;
}

const drops: fc.Arbitrary<Drop[]> = fc.array(
  fc.record({
    transfer: fc.constantFrom('pull', 'push'),
    received: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4_000 })),
    afterMs: fc.integer({ min: 0, max: 200 }),
  }),
  { minLength: 1, maxLength: 5, size: 'max' },
);

check(
  'generated.hostile.transfers',
  {
    faults: [
      ...unwell,
      on('POST /images/create', swallows(200, '{"status":"done"}')),
      on('POST /images/{name}/push', swallows(200, '{"status":"done"}')),
      on('DELETE /images/{name}', answersStatus(500, 200)),
    ],
  },
  async (context) => {
    const tally = new Tally();
    await forAll(context, drops, { runs: 3, unbiased: true }, (value, trial) =>
      withRegistry(trial.engine, {}, async (repository) => {
        const image = await publish(trial.engine, repository, 'down');
        await loadTagged(trial.engine, repository, 'up');
        for (const drop of value) tally.add(await dropped(trial, repository, drop));
        await judgeHealth(trial);
        trial.step('pulls and pushes the images whole');
        const { engine } = trial;
        const pulled = await pull(engine, { fromImage: repository.name, tag: 'down' });
        await trial.decides('images.create.pull-answers-200', () => expect(pulled).toHaveStatus(200));
        await trial.decides('images.create.fromImage-pulls', () =>
          expectPulled(engine, `${repository.name}:down`, image),
        );
        const pushed = await push(engine, repository.name, { tag: 'up' });
        await trial.decides('images.push.answers-200', () => expect(pushed).toHaveStatus(200));
        await trial.decides('images.push.registry-in-name', () =>
          expectValue('whether the registry has the image', has(repository, 'up'), [pushed]).toBe(true),
        );
        trial.step('removes them');
        for (const tag of ['down', 'up']) {
          const removed = await engine.delete(`/images/${repository.name}:${tag}`);
          await trial.decides('images.remove.answers-200', () => expect(removed).toHaveStatus(200));
        }
      }),
    );
    tally.tell();
  },
);

/** Begins a transfer and drops the connection. @returns the result in words */
async function dropped(trial: Trial, repository: Repository, { transfer, received, afterMs }: Drop): Promise<string> {
  const { engine } = trial;
  const { name } = repository;
  const opened =
    transfer === 'pull'
      ? engine.open('POST', '/images/create', { query: { fromImage: name, tag: 'down' } })
      : engine.open('POST', `/images/${name}/push`, { query: { tag: 'up' }, headers: registryAuth() });
  const live = await settled(opened, `the answer of a ${transfer}`);
  await live.satisfiesWithin(afterMs, (bytes) => received > 0 && bytes.length >= received);
  trial.step(`begins a ${transfer}, and drops the connection after ${live.received.length} bytes of the answer`);
  live.drop();
  // Other rules judge whether a daemon completes it, and before 1.23 none does.
  await delay(50);
  const isThrough =
    transfer === 'push' ? has(repository, 'up') : (await inspect(engine, `${name}:down`)).status === 200;
  return `${isThrough ? 'had gone' : 'had not gone'} through with a ${transfer} when its client went`;
}
