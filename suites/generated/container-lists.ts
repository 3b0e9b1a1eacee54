import fc from 'fast-check';
import { check } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { given } from '../../harness/engine/given.ts';
import { filters } from '../../harness/engine/query.ts';
import { on } from '../../harness/faults/fault.ts';
import { ignoresFilter, ignoresQuery } from '../../harness/faults/requests.ts';
import { forAll } from '../../harness/property/for-all.ts';
import { flag } from '../../specs/parameters.ts';
import type { StatedRuleId } from '../../specs/stated.ts';
import { type ApiVersion, atLeast } from '../../specs/versions.ts';
import { expectListed, list } from '../containers/support/list-answers.ts';

const keys = ['ec.a', 'ec.b', 'ec.b.c'] as const;
const labelValues = ['', '1', '1=2', 'a b', 'é'];

const labels = fc.record(Object.fromEntries(keys.map((key) => [key, fc.constantFrom(...labelValues)])), {
  requiredKeys: [],
  noNullPrototype: true,
});

/** One value of the filter label: a key, or a key with a value. */
const labelFilters = fc.record({
  key: fc.constantFrom(...keys),
  value: fc.option(fc.constantFrom(...labelValues.filter((value) => value !== ''))),
});

const places = fc.nat(2);

const values = (api: ApiVersion) =>
  fc.record({
    labels: fc.tuple(labels, labels, labels),
    questions: fc.array(fc.array(labelFilters, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
    yes: fc.constantFrom(...flag.enum.slice(0, 3)),
    no: fc.constantFrom(...flag.enum.slice(3)),
    place: places,
    form: fc.constantFrom(...(atLeast(api, '1.23') ? (['id', 'name'] as const) : (['id'] as const))),
  });

const lists = 'GET /containers/json';

check(
  'generated.inputs.container-lists',
  {
    faults: [
      on(lists, ignoresQuery('all')),
      on(lists, ignoresFilter('status')),
      on(lists, ignoresQuery('before')),
      on(lists, ignoresQuery('since')),
    ],
  },
  (context) =>
    forAll(context, values(context.api), { runs: 2 }, async (generated, trial) => {
      const { engine } = trial;
      const { questions, yes, no, place, form } = generated;
      const made: { container: Container; labels: Readonly<Record<string, string | undefined>> }[] = [];
      for (const own of generated.labels) {
        trial.step(`creates a container with the labels ${JSON.stringify(own)}`);
        made.push({ container: await makeContainer(engine, { config: { Labels: own } }), labels: own });
      }
      const all = made.map(({ container }) => container);
      const none: readonly Container[] = [];
      for (const [written, present] of [
        [yes, all],
        [no, none],
      ] as const) {
        const answer = await given(list(engine, { all: written }), 200);
        await trial.decides('containers.list.all-spellings', () =>
          expectListed(
            answer,
            present,
            all.filter((one) => !present.includes(one)),
          ),
        );
      }
      for (const asked of questions) {
        const texts = asked.map(({ key, value }) => (value === null ? key : `${key}=${value}`));
        trial.step(`lists those with the labels ${texts.join(' and ')}`);
        const passes = (own: Readonly<Record<string, string | undefined>>) =>
          asked.map(({ key, value }) => Object.hasOwn(own, key) && (value === null || own[key] === value));
        const answer = await given(list(engine, { all: yes, filters: filters({ label: texts }) }), 200);
        const rule: StatedRuleId = `containers.list.filters.label-${asked.every(({ value }) => value === null) ? 'key' : 'value'}`;
        await trial.decides(rule, () =>
          // Whether a container that matches only some of them is listed is not stated.
          expectListed(
            answer,
            made.filter((one) => passes(one.labels).every(Boolean)).map(({ container }) => container),
            made.filter((one) => !passes(one.labels).some(Boolean)).map(({ container }) => container),
          ),
        );
      }
      for (const [state, present] of [
        ['created', all],
        ['exited', []],
      ] as const) {
        const listed = await given(list(engine, { all: yes, filters: filters({ status: [state] }) }), 200);
        await trial.decides(`containers.list.filters.status-${state}`, () =>
          expectListed(listed, present, present.length > 0 ? [] : all),
        );
      }
      const named = all[place];
      if (!named) return;
      const [older, newer] = [all.slice(0, place), all.slice(place + 1)];
      for (const [parameter, present, absent] of [
        ['before', older, [named, ...newer]],
        ['since', newer, [named, ...older]],
      ] as const) {
        trial.step(`lists those ${parameter} one of them`);
        const listed = await list(engine, { all: yes, [parameter]: named.id });
        await trial.decides(`containers.list.${parameter}`, () => expectListed(listed, present, absent));
        if (!atLeast(engine.api, '1.23')) continue;
        const filtered = await list(engine, { all: yes, filters: filters({ [parameter]: [named[form]] }) });
        await trial.decides(`containers.list.filters.${parameter}-${form}`, () =>
          expectListed(filtered, present, absent),
        );
      }
    }),
);
