import { expect, test, vi } from 'vitest';
import { isObject } from '../../reference/http/fields.ts';
import { around, resultsOf } from '../generated/planted.ts';

async function resultOf(rule: string) {
  return (await resultsOf([rule], '1.23')).get(rule);
}

test('a setting that is lost only beside others passes alone, and the verdict says what was seen', async () => {
  around('POST /containers/create', (call, answer) => {
    const { json } = call;
    vi.spyOn(call, 'json').mockImplementation(async () => {
      const body = await json.call(call);
      if (!isObject(body) || !isObject(body.HostConfig) || !('Tmpfs' in body.HostConfig)) return body;
      return { ...body, HostConfig: { ...body.HostConfig, OomScoreAdj: undefined } };
    });
    return answer();
  });
  const result = await resultOf('containers.create.host-config.oom-score-adj');
  expect(result).toMatchObject({
    verdict: 'pass',
    reason: 'on a container with other settings, too, it was otherwise',
  });
  expect(result?.evidence.length).toBeGreaterThan(1);
});

test('so does an output that is lost only where several clients are attached', async () => {
  const clients = new Map<string, number>();
  around('POST /containers/{id}/attach', (call, answer) => {
    const id = call.param('id');
    const before = clients.get(id) ?? 0;
    clients.set(id, before + 1);
    const { flag } = call.query;
    vi.spyOn(call.query, 'flag').mockImplementation((name, otherwise) =>
      name === 'stderr' && before > 0 ? false : flag.call(call.query, name, otherwise),
    );
    return answer();
  });
  expect(await resultOf('containers.attach.logs-stderr')).toMatchObject({
    verdict: 'pass',
    reason: 'with other clients at the same time it was otherwise',
  });
});
