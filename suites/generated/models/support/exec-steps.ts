import fc from 'fast-check';
import { Exec } from '../../../../harness/engine/exec.ts';
import { expect, expectValue } from '../../../../harness/expect/expect.ts';
import { valuesAt } from '../../../../harness/streams/json-path.ts';
import { type Look, type ModelStep, stepOn } from './command.ts';

const creates = fc.constantFrom(undefined, 0, 3, 200).chain((endsWith) =>
  stepOn({
    states: ['running'],
    says: (which) =>
      `creates in ${which} a command that ${endsWith === undefined ? 'waits for ever' : `ends with ${endsWith}`}`,
    run: async (container, world, scene) => {
      const run = endsWith === undefined ? ['forever'] : ['exit', String(endsWith)];
      const json = { Cmd: ['/probe', ...run], AttachStdout: true };
      const answer = await scene.engine.post(container.handle.path('exec'), { json });
      await scene.answers('exec.create.answers-201', answer, 201);
      const handle = new Exec(scene.engine, String(valuesAt(answer.json, 'Id')[0]));
      world.execs.push({ handle, container, state: 'created', ...(endsWith !== undefined && { endsWith }) });
    },
  }),
);

const starts = stepOn({
  states: ['running'],
  fits: (container, world) => world.execs.some((one) => one.container === container && one.state === 'created'),
  says: (which) => `starts the command of ${which} that was created last`,
  run: async (container, world, scene) => {
    const exec = world.execs.findLast((one) => one.container === container && one.state === 'created');
    fc.pre(exec !== undefined);
    const answer = await exec.handle.startDetached();
    await scene.answers('exec.start.runs-command', answer, 200, 204);
    exec.state = 'running';
    if (exec.endsWith === undefined) return;
    exec.state = 'ended';
    // It ends by itself; how soon a daemon notices is not stated. One that is known never to tell is not waited for.
    if (scene.trial.holds('exec.inspect.running-state')) await exec.handle.inspectUntilEnded();
  },
});

export const execSteps: readonly fc.Arbitrary<ModelStep>[] = [creates, creates, starts, starts];

/** Compares what inspect says about the exec instances, and about their container, with the model. */
export const lookAtExecs: Look = async (world, scene) => {
  const { trial } = scene;
  const running = world.in('running');
  for (const exec of world.execs) {
    // In a long sequence most have been seen in their state before.
    if (exec.seen === exec.state && !world.isOver) continue;
    const inspect = await exec.handle.inspect();
    exec.seen = exec.state;
    await trial.decides('exec.inspect.answers-200', () => expect(inspect).toHaveStatus(200));
    await trial.decides('exec.inspect.running-state', () =>
      expect(inspect)
        .field('Running')
        .toBe(exec.state === 'running'),
    );
    // A command that is shown as running has no exit code yet, and already breaks the rule above. Where that rule is known to
    // be broken, nothing tells whether the command has ended.
    const hasEnded = exec.state === 'ended' && trial.holds('exec.inspect.running-state');
    if (hasEnded && valuesAt(inspect.json, 'Running')[0] === false) {
      await trial.decides('exec.inspect.exit-code', () => expect(inspect).field('ExitCode').toBe(exec.endsWith));
    }
  }
  for (const container of running) {
    const commands = world.execs.filter((exec) => exec.container === container && exec.state === 'running');
    const inspect = await container.handle.inspect();
    const [ids] = valuesAt(inspect.json, 'ExecIDs');
    const known: readonly unknown[] = Array.isArray(ids) ? ids : [];
    await trial.decides('containers.inspect.field.ExecIDs', () =>
      expectValue(
        `running commands that ${container.letter} does not tell`,
        commands.map(({ handle }) => handle.id).filter((id) => !known.includes(id)),
        [inspect],
      ).toBe([]),
    );
  }
};
