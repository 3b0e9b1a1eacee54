import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '../../../../harness/engine/exchange.ts';
import { expectValue } from '../../../../harness/expect/expect.ts';
import { isObject, valuesAt } from '../../../../harness/streams/json-path.ts';
import type { StatedRuleId } from '../../../../specs/stated.ts';
import { tellUnjudged } from '../../../support/shared-results.ts';
import type { Look } from './command.ts';

/** How often the counters are read again when other clients change something in between. */
const tries = 5;

interface Counter {
  readonly rule: StatedRuleId;
  readonly name: string;
  readonly wanted: readonly number[];
}

/**
 * Compares the counters of info with the list of all containers, including those of other clients. The documents name
 * the counters but do not say what they count, so a deviation is less serious.
 */
export const lookAtCounters: Look = async (_world, { engine, trial }) => {
  for (let left = tries; ; left--) {
    const before = await engine.get('/containers/json', { all: true });
    const info = await engine.get('/info');
    const after = await engine.get('/containers/json', { all: true });
    const states = statesIn(before);
    if (!isDeepStrictEqual(states, statesIn(after))) {
      if (left > 1) continue;
      const why = `other clients changed containers in each of ${tries} tries`;
      tellUnjudged('at least once the counters of /info were', why, info);
      return;
    }
    const counters = countersOf(states.map(([, state]) => state));
    const isKept = counters.every(({ name, wanted }) => wanted.some((count) => count === valuesAt(info.json, name)[0]));
    // What another client made and removed between the lists is in neither of them, but this hardly happens every time.
    if (!isKept && left > 1) continue;
    for (const { rule, name, wanted } of counters) {
      await trial.decides(rule, () =>
        expectValue(name, valuesAt(info.json, name)[0], [after, info], { level: 'should' }).toBeOneOf(...wanted),
      );
    }
    return;
  }
};

function countersOf(states: readonly string[]): Counter[] {
  const count = (...counted: readonly string[]) => states.filter((state) => counted.includes(state)).length;
  const all: Counter = { rule: 'system.info.field.Containers', name: 'Containers', wanted: [states.length] };
  // Before 1.23 the list has no State.
  if (count('created', 'running', 'paused', 'exited') < states.length) return [all];
  return [
    all,
    { rule: 'system.info.field.ContainersRunning', name: 'ContainersRunning', wanted: [count('running')] },
    { rule: 'system.info.field.ContainersPaused', name: 'ContainersPaused', wanted: [count('paused')] },
    {
      rule: 'system.info.field.ContainersStopped',
      name: 'ContainersStopped',
      // Whether a container that was never started counts as stopped is not stated.
      wanted: [count('exited'), count('created', 'exited')],
    },
  ];
}

/** Sorted, as nothing says in which order the list is. */
function statesIn(list: Exchange): (readonly [id: string, state: string])[] {
  const items = Array.isArray(list.json) ? list.json.filter(isObject) : [];
  return items.map(({ Id, State }) => [String(Id), String(State)] as const).toSorted();
}
