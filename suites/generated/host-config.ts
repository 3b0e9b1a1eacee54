import fc from 'fast-check';
import { check } from '../../harness/check.ts';
import { create, createBody } from '../../harness/engine/containers.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { given } from '../../harness/engine/given.ts';
import { expect } from '../../harness/expect/expect.ts';
import { answersStatus, changesJson } from '../../harness/faults/answers.ts';
import { on, since } from '../../harness/faults/fault.ts';
import { ignoresBodyField } from '../../harness/faults/requests.ts';
import type { Settings } from '../../harness/generators/settings.ts';
import { forAll } from '../../harness/property/for-all.ts';
import type { Trial } from '../../harness/property/trial.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import { discardedByHost } from '../support/host-warnings.ts';
import { hostConfigsIn, hostLimitsIn } from './support/container-values.ts';
import { expectKept, judgedOf } from './support/kept-fields.ts';

const rules = 'containers.create.body.HostConfig.';

const emptied = changesJson('shows nothing of HostConfig', (json) =>
  isObject(json) ? { ...json, HostConfig: {} } : json,
);

const values = (api: ApiVersion) => fc.record({ generated: hostConfigsIn(api), limits: hostLimitsIn(api) });

check(
  'generated.inputs.host-config',
  {
    faults: [
      on('POST /containers/create', answersStatus(400, 201)),
      since('1.23', on('POST /containers/create', ignoresBodyField('HostConfig.BlkioDeviceReadBps'))),
      on('GET /containers/{id}/json', emptied),
    ],
  },
  (context) =>
    forAll(context, values(context.api), { runs: 5 }, async ({ generated, limits }, trial) => {
      const { engine } = trial;
      const hostConfig = judgedOf(trial, rules, generated);
      const { created, sent } = await createWithin(trial, hostConfig, judgedOf(trial, rules, limits));
      await trial.decides('containers.create.answers-201', () => expect(created).toHaveStatus(201));
      if (created.status !== 201) return;
      trial.step('inspects it');
      const inspect = await given(engine.get(`/containers/${valuesAt(created.json, 'Id')[0]}/json`), 200);
      const discards = discardedByHost(created) !== undefined;
      // Interpretation `lxc-conf`.
      const { LxcConf: _taken, ...kept } = sent;
      const judged = Object.entries(kept).filter(
        ([member]) => !discards || !isUnset(valuesAt(inspect.json, `HostConfig.${member}`)[0]),
      );
      await expectKept(trial, inspect, Object.fromEntries(judged), { rules, where: 'HostConfig.' });
    }),
);

/** Creates a container with limits, or without them where a daemon refuses them, as its host may not support them. */
async function createWithin(
  trial: Trial,
  hostConfig: Settings,
  limits: Settings,
): Promise<{ created: Exchange; sent: Settings }> {
  const { engine } = trial;
  const createWith = (sent: Settings) => {
    trial.step(`creates a container with ${Object.keys(sent).join(', ') || 'nothing special'} in HostConfig`);
    return create(engine, createBody(engine, { hostConfig: sent }));
  };
  const sent = { ...hostConfig, ...limits };
  const created = await createWith(sent);
  if (created.status === 201 || Object.keys(limits).length === 0) return { created, sent };
  return { created: await createWith(hostConfig), sent: hostConfig };
}

/** How a daemon shows a limit that it warned it would discard, as its host does not support it. */
function isUnset(shown: JsonValue | undefined): boolean {
  if (Array.isArray(shown)) return shown.length === 0;
  return shown === undefined || shown === null || shown === 0 || shown === -1 || shown === false || shown === '';
}
