import fc from 'fast-check';
import { check } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { given } from '../../harness/engine/given.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { on } from '../../harness/faults/fault.ts';
import { swallows } from '../../harness/faults/requests.ts';
import { outsideOf, type Settings, settingsOf } from '../../harness/generators/settings.ts';
import { forAll } from '../../harness/property/for-all.ts';
import { valuesAt } from '../../harness/streams/json-path.ts';
import { containerUpdateBody } from '../../specs/resources/container-operations.ts';
import { hostConfig } from '../../specs/resources/host-config.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import { discardedByHost, mayDiscard } from '../support/host-warnings.ts';
import { hostConfigValues } from './support/container-values.ts';
import { expectKept, judgedOf, ruleOf } from './support/kept-fields.ts';

const rules = 'containers.update.body.';
const updates = 'POST /containers/{id}/update';

/**
 * Members of the body that are valid together: memory limits as a whole. Whether a restart policy without a name
 * removes the policy or leaves it alone is not documented.
 */
function bodiesIn(api: ApiVersion): fc.Arbitrary<Settings> {
  return settingsOf(containerUpdateBody, api, hostConfigValues(api)).map((settings) => {
    const { Memory, MemorySwap, MemoryReservation, RestartPolicy, ...unbound } = settings;
    const isNamed = RestartPolicy !== undefined && Object(RestartPolicy).Name !== '';
    const others = { ...unbound, ...(isNamed && { RestartPolicy }) };
    if (Memory === undefined || MemorySwap === undefined) return others;
    return { ...others, Memory, MemorySwap, ...(MemoryReservation !== undefined && { MemoryReservation }) };
  });
}

const values = (api: ApiVersion) =>
  fc.record({
    first: bodiesIn(api),
    second: bodiesIn(api),
    // Engines take 0 for unset.
    refused: fc.option(outsideOf(hostConfig.properties.BlkioWeight).filter((weight) => weight > 0)),
  });

check(
  'generated.inputs.updates',
  { faults: [on(updates, answersStatus(400, 200)), on(updates, swallows(200, '{"Warnings":[]}'))] },
  (context) =>
    forAll(context, values(context.api), { runs: 3 }, async ({ first, second, refused }, trial) => {
      if (!trial.holds('containers.update.answers-200')) return;
      const { engine } = trial;
      const container = await makeContainer(engine);
      const update = (json: Settings) => engine.post(container.path('update'), { json });
      let set: Settings = {};
      for (const body of [first, second].map((generated) => judgedOf(trial, rules, generated))) {
        trial.step(`updates ${Object.keys(body).join(', ') || 'nothing'}`);
        // A member that always changes something, so that an update without effect is noticed.
        const json = { CpuShares: 512, ...body };
        const answer = await update(json);
        await trial.decides('containers.update.answers-200', () => expect(answer).toHaveStatus(200));
        if (answer.status !== 200 || discardedByHost(answer) !== undefined) return;
        const inspect = await given(container.inspect(), 200);
        await expectKept(trial, inspect, judgedOf(trial, rules, json), { rules, where: 'HostConfig.' });
        const left = Object.entries(set).filter(([member]) => !(member in json));
        await trial.decides('containers.update.others-kept', () => {
          for (const [member, value] of left) {
            expectValue(`HostConfig.${member}`, valuesAt(inspect.json, `HostConfig.${member}`)[0], [
              answer,
              inspect,
            ]).toBe(value);
          }
        });
        set = Object.fromEntries(
          Object.keys({ ...set, ...json }).map((member) => [
            member,
            valuesAt(inspect.json, `HostConfig.${member}`)[0] ?? null,
          ]),
        );
      }
      if (refused === null || !trial.holds(ruleOf(rules, 'BlkioWeight'))) return;
      const taken = await given(update({ BlkioWeight: 500 }), 200);
      if (discardedByHost(taken) !== undefined) return;
      trial.step(`updates BlkioWeight to ${refused}`);
      const answer = await update({ BlkioWeight: refused });
      if (answer.status === 200 && (await mayDiscard(context, answer))) return;
      const inspect = await given(container.inspect(), 200);
      await trial.decides('containers.update.BlkioWeight-refused', () => {
        expect(answer).toBeRefused();
        expectValue('HostConfig.BlkioWeight', valuesAt(inspect.json, 'HostConfig.BlkioWeight')[0], [
          answer,
          inspect,
        ]).toBe(500);
      });
    }),
);
