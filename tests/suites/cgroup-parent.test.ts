import { expect, test } from 'vitest';
import { around, resultsOf } from '../generated/planted.ts';

const relative = 'containers.create.host-config.cgroup-parent-relative';

test('an engine that shares no process ids with its host is not told that it refuses a control group', async () => {
  around('POST /containers/create', async (call, answer) => {
    const body = await call.json();
    call.json = async () => body;
    if (Object(Object(body).HostConfig).PidMode === 'host') call.answer(400, { message: 'users are remapped' });
    else await answer();
  });
  const result = (await resultsOf([relative], '1.23')).get(relative);
  expect(result).toMatchObject({ verdict: 'blocked', reason: expect.stringContaining('users are remapped') });
});
