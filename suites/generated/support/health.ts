import { Container } from '../../../harness/engine/container.ts';
import { create, createBody } from '../../../harness/engine/containers.ts';
import { settled } from '../../../harness/engine/given.ts';
import { expect } from '../../../harness/expect/expect.ts';
import { answersBody, answersStatus } from '../../../harness/faults/answers.ts';
import { on } from '../../../harness/faults/fault.ts';
import { setsField } from '../../../harness/faults/fields.ts';
import type { Trial } from '../../../harness/property/trial.ts';
import { currentJudgement } from '../../../harness/verdict/judgement.ts';

/** How an unhealthy daemon behaves. */
export const unwell = [
  on('GET /_ping', answersStatus(500)),
  on('GET /_ping', answersBody('NO')),
  on('POST /containers/{id}/wait', setsField('StatusCode', 0)),
] as const;

/**
 * Judges that a daemon answers, and that a fresh container runs.
 * @throws Blocked when it gives no sign of life: it may be gone, which ends the run
 */
export async function judgeHealth(trial: Trial): Promise<void> {
  const { engine } = trial;
  const done = trial.steps.map(({ words }) => words).join('; ');
  trial.step('looks whether the daemon is well');
  const ping = await settled(engine.get('/_ping'), `the sign of life after this: ${done};`);
  await trial.decides('system.ping.answers-200', () => expect(ping).toHaveStatus(200));
  await trial.decides('system.ping.body-OK', () => expect(ping).toHaveText('OK'));
  const name = engine.name('container');
  const created = await create(engine, createBody(engine, { run: ['exit', '7'] }), { name });
  await trial.decides('containers.create.answers-201', () => expect(created).toHaveStatus(201));
  const container = new Container(engine, name, name);
  const started = await container.start();
  await trial.decides('containers.start.answers-204', () => expect(started).toHaveStatus(204));
  const waited = await container.wait();
  await trial.decides('containers.wait.exit-code', () => {
    expect(waited).toHaveStatus(200);
    expect(waited).field('StatusCode').toBe(7);
  });
}

/** Counts the results of what was tried; a pass reports them. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(outcome: string): void {
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1);
  }

  tell(): void {
    const counts = [...this.#counts].sort(([, one], [, other]) => other - one);
    const said = counts.map(([outcome, count]) => `${outcome} (${count})`);
    if (said.length > 0) currentJudgement().notes.push(`the daemon ${said.join(', ')}`);
  }
}
