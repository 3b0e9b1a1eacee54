import type { Exchange } from '../../../harness/engine/exchange.ts';
import { expectValue } from '../../../harness/expect/expect.ts';
import { isObject, valuesAt } from '../../../harness/expect/json-path.ts';
import { show } from '../../../harness/expect/show.ts';
import type { StatedRuleId } from '../../../specs/catalogue.ts';
import type { Look } from './command.ts';

/** How often the counters are read again when other clients change something between the answers. */
const tries = 5;

/**
 * Compares the counters of info with the list of all containers, those of other clients included. The documents name the
 * counters and do not say what they count, so a deviation weighs less.
 */
export const lookAtCounters: Look = async (_world, { engine, trial }) => {
  for (let left = tries; left > 0; left--) {
    const before = await engine.get('/containers/json', { all: true });
    const info = await engine.get('/info');
    const after = await engine.get('/containers/json', { all: true });
    if (show(statesIn(before)) !== show(statesIn(after))) continue;
    const states = statesIn(after).map(([, state]) => state);
    const count = (...counted: readonly string[]) => states.filter((state) => counted.includes(state)).length;
    const counter = (rule: StatedRuleId, name: string, wanted: number) =>
      trial.decides(rule, () =>
        expectValue(name, valuesAt(info.json, name)[0], [after, info], { level: 'should' }).toBe(wanted),
      );
    await counter('system.info.field.Containers', 'Containers', states.length);
    // Before 1.23 the list has no State.
    if (count('created', 'running', 'paused', 'exited') < states.length) return;
    await counter('system.info.field.ContainersRunning', 'ContainersRunning', count('running'));
    await counter('system.info.field.ContainersPaused', 'ContainersPaused', count('paused'));
    // Whether one that was never started counts as stopped is not said.
    await trial.decides('system.info.field.ContainersStopped', () => {
      const [stopped] = valuesAt(info.json, 'ContainersStopped');
      expectValue('ContainersStopped', stopped, [after, info], { level: 'should' }).toBeOneOf(
        count('exited'),
        count('created', 'exited'),
      );
    });
    return;
  }
};

function statesIn(list: Exchange): [id: string, state: string][] {
  const items = Array.isArray(list.json) ? list.json.filter(isObject) : [];
  return items.map(({ Id, State }) => [String(Id), String(State)]);
}
