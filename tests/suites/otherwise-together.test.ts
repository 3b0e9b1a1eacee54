import { expect, test, vi } from 'vitest';
import { badParameter } from '../../reference/errors.ts';
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

test('so does a flag that is refused only beside another', async () => {
  around('DELETE /images/{name…}', ({ query }, answer) => {
    if (query.text('force') && query.text('noprune')) throw badParameter('one flag at a time');
    return answer();
  });
  expect(await resultOf('images.remove.force-spellings')).toMatchObject({
    verdict: 'pass',
    reason: 'with both flags it was otherwise',
  });
});

test('so does a step that keeps rules from being tried together', async () => {
  const killed = new Set<string>();
  around('POST /containers/{id}/kill', (call, answer) => {
    const id = call.param('id');
    if (killed.has(id)) {
      const { text } = call.query;
      vi.spyOn(call.query, 'text').mockImplementation((name) =>
        name === 'signal' ? 'SIGKILL' : text.call(call.query, name),
      );
    }
    killed.add(id);
    return answer();
  });
  expect(await resultOf('containers.kill.signal-by-number')).toMatchObject({
    verdict: 'pass',
    reason: expect.stringMatching(/^together with other rules, a container that got several signals could not be had/),
  });
});
