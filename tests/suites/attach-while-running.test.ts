import { expect, test } from 'vitest';
import { around, resultsOf } from '../generated/planted.ts';

const rules = ['containers.create.config.open-stdin', 'containers.create.config.stdin-once'] as const;

test.each(rules)('%s is judged of an engine that lets no client attach before a container runs', async (rule) => {
  around('POST /containers/{id}/attach', async (call, answer) => {
    if (call.engine.containers.get(call.param('id')).state.running) await answer();
    else call.answer(500, { message: 'it does not run' });
  });
  expect((await resultsOf([rule], '1.23')).get(rule)).toMatchObject({ verdict: 'pass' });
});
