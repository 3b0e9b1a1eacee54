import { check } from '../../harness/check.ts';
import { create, createBody } from '../../harness/engine/containers.ts';
import { given } from '../../harness/engine/given.ts';
import { expect } from '../../harness/expect/expect.ts';
import { isObject, valuesAt } from '../../harness/expect/json-path.ts';
import { answersStatus, changesJson } from '../../harness/faults/answers.ts';
import { on } from '../../harness/faults/fault.ts';
import { forAll } from '../../harness/property/for-all.ts';
import { discardedByHost } from '../containers/host-warnings.ts';
import { hostConfigsIn } from './container-values.ts';
import { expectKept, judgedOf } from './kept.ts';

const rules = 'containers.create.body.HostConfig.';

const emptied = changesJson('shows nothing of HostConfig', (json) =>
  isObject(json) ? { ...json, HostConfig: {} } : json,
);

check(
  'generated.inputs.host-config',
  {
    faults: [on('POST /containers/create', answersStatus(400, 201)), on('GET /containers/{id}/json', emptied)],
  },
  (context) =>
    forAll(context, hostConfigsIn(context.api), { runs: 6 }, async (generated, trial) => {
      const { engine } = trial;
      const hostConfig = judgedOf(trial, rules, generated);
      trial.step(`creates a container with ${Object.keys(hostConfig).join(', ') || 'nothing special'} in HostConfig`);
      const created = await create(engine, createBody(engine, { hostConfig }));
      await trial.decides('containers.create.answers-201', () => expect(created).toHaveStatus(201));
      if (created.status !== 201) return;
      trial.step('inspects it');
      const inspect = await given(engine.get(`/containers/${valuesAt(created.json, 'Id')[0]}/json`), 200);
      const discards = discardedByHost(created) !== undefined;
      const kept = Object.entries(hostConfig).filter(
        ([member]) => !discards || !isUnset(valuesAt(inspect.json, `HostConfig.${member}`)[0]),
      );
      await expectKept(trial, inspect, Object.fromEntries(kept), { rules, where: 'HostConfig.' });
    }),
);

/** What a daemon shows of a limit that it warned it would discard, as its host does not know it. */
function isUnset(shown: unknown): boolean {
  return shown === undefined || shown === null || shown === 0 || shown === -1 || shown === false || shown === '';
}
