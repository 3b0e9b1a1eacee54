import fc from 'fast-check';
import type { CheckContext } from '../../../harness/check.ts';
import { Container } from '../../../harness/engine/container.ts';
import { makeContainer } from '../../../harness/engine/containers.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { type Exec, makeExec } from '../../../harness/engine/exec.ts';
import { on } from '../../../harness/faults/fault.ts';
import { swallows } from '../../../harness/faults/requests.ts';
import { valuesAt } from '../../../harness/streams/json-path.ts';
import type { Target } from '../../../harness/target/target.ts';
import type { StatedRuleId } from '../../../specs/stated.ts';
import { atLeast } from '../../../specs/versions.ts';
import { host } from '../../support/common-containers.ts';
import { checkMeeting, clients, inTurn, type Look, type Pair, type Stage } from './support/meeting.ts';
import type { After } from './support/orders.ts';
import type { Scene } from './support/scene.ts';

/** What two clients do to one command in a running container. */
type ExecOperation = 'start' | 'pause' | 'unpause';

interface ExecOutcome {
  readonly command: 'created' | 'running' | 'ended';
  readonly paused: boolean;
}

const code = 7;

/**
 * A daemon may not recover from a command that starts while its container is paused, so that is tried only where the
 * daemon may break.
 */
function meetings(breaks: boolean): fc.Arbitrary<Pair<ExecOperation>> {
  const starts = clients<ExecOperation>(['start']);
  return breaks ? fc.oneof(starts, clients<ExecOperation>(['start', 'pause', 'unpause'])) : starts;
}

checkMeeting<Container, undefined, ExecOperation, ExecOutcome>('generated.models.parallel-exec', {
  faults: [on('POST /exec/{id}/start', swallows(200))],
  runs: 4,
  values: ({ target }) => inTurn(fc.record({ setup: fc.constant(undefined), pair: meetings(mayBreak(target)) }), 1),
  prepare,
  begin,
  words: (operation) => `${operation}s ${operation === 'start' ? 'the command' : 'a'}`,
  after: (api) => afterIn(atLeast(api, '1.21')),
  ruleAgainst,
});

function mayBreak({ lacks }: Target): boolean {
  return lacks.hostile === undefined;
}

/** A container that is never paused may be shared. */
async function prepare({ engine, trial }: Scene, { target }: CheckContext): Promise<Container> {
  if (mayBreak(target)) return makeContainer(engine, { state: 'running' });
  const { id, name } = await trial.use(host);
  return new Container(engine, id, name);
}

async function begin(_met: unknown, scene: Scene, container: Container): Promise<Stage<ExecOperation, ExecOutcome>> {
  scene.trial.step(`creates in the container a, which is running, a command that ends with ${code}`);
  const exec = await makeExec(scene.engine, container, { run: ['exit', String(code)] });
  let isStarted = false;
  return {
    first: { command: 'created', paused: false },
    send: async (operation) => {
      if (operation !== 'start') return container[operation]();
      const answer = await exec.startDetached();
      isStarted ||= answer.status < 400;
      return answer;
    },
    look: () => look(exec, isStarted && scene.trial.holds('exec.inspect.running-state'), container),
  };
}

/** The result of a second start is not documented, nor before 1.21 that of a start while the container is paused. */
function afterIn(refusesPaused: boolean): After<ExecOperation, ExecOutcome> {
  return (outcome, { operation }) => {
    if (operation !== 'start') return { ...outcome, paused: operation === 'pause' };
    return outcome.paused && refusesPaused ? undefined : { ...outcome, command: 'ended' };
  };
}

/**
 * A command proceeds only while its container runs; how soon a daemon notices its end is not stated.
 * @param ends whether it has been started, and the daemon is not known never to tell the end
 */
async function look(exec: Exec, ends: boolean, container: Container): Promise<Look<ExecOutcome>> {
  const own: Exchange = await container.inspect();
  const paused = valuesAt(own.json, 'State.Paused')[0] === true;
  if (paused) await container.unpause();
  const inspect = await (ends ? exec.inspectUntilEnded() : exec.inspect());
  if (paused) await container.pause();
  const ended = valuesAt(inspect.json, 'ExitCode')[0] === code ? 'ended' : 'created';
  const command = valuesAt(inspect.json, 'Running')[0] === true ? 'running' : ended;
  return { outcome: { command, paused }, evidence: [own, inspect] };
}

function ruleAgainst(outcomes: readonly ExecOutcome[], { command, paused }: ExecOutcome): StatedRuleId {
  if (outcomes.length === 0) return 'exec.start.paused-answers-409';
  if (!outcomes.some((one) => one.paused === paused)) return 'containers.inspect.field.State.Paused';
  if (command === 'running') return 'exec.inspect.running-state';
  return command === 'created' ? 'exec.start.runs-command' : 'exec.inspect.exit-code';
}
