import { check, fixture } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { control, given } from '../../harness/engine/given.ts';
import { outputWith } from '../../harness/engine/output.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersBody, answersStatus } from '../../harness/faults/answers.ts';
import { on } from '../../harness/faults/fault.ts';
import { ignoresBodyField, swallows } from '../../harness/faults/requests.ts';
import { containerWith, createVolume, makeVolume, removeFreed, runWith, volumePath } from './support/volumes.ts';

/** Whether it succeeds is not judged yet. */
const removed = fixture('the answer of volume remove', async ({ engine }) =>
  engine.delete(volumePath(await makeVolume(engine))),
);

check('volumes.remove.answers-204', { faults: [answersStatus(200, 204)] }, async ({ use }) => {
  expect(await use(removed)).toHaveStatus(204);
});

check('volumes.remove.empty-body', { faults: [answersBody('{}')] }, async ({ use }) => {
  expect(await given(use(removed), 204)).toBeEmptyBody();
});

check('volumes.remove.unknown-answers-404', { faults: [answersStatus(204, 404)] }, async ({ engine, use }) => {
  await control(use(removed), 204);
  expect(await engine.delete(volumePath(engine.unusedName('volume')))).toHaveStatus(404);
});

const refused = fixture('the answer to the removal of a volume in use', async ({ engine }) => {
  const name = await makeVolume(engine);
  await runWith(engine, name);
  return { name, answer: await engine.delete(volumePath(name)) };
});

check('volumes.remove.in-use-answers-409', { faults: [answersStatus(500, 409)] }, async ({ use }) => {
  await control(use(removed), 204);
  expect((await use(refused)).answer).toHaveStatus(409);
});

check(
  'volumes.remove.in-use-kept',
  { faults: [on('GET /volumes/{name}', answersStatus(404, 200))] },
  async ({ engine, use }) => {
    await control(use(removed), 204);
    const { name, answer } = await use(refused);
    await given(Promise.resolve(answer), 409);
    expect(await engine.get(volumePath(name))).toHaveStatus(200);
  },
);

check(
  'volumes.remove.in-use-shared-answers-409',
  { faults: [answersStatus(500, 409), on('POST /containers/create', ignoresBodyField('HostConfig.VolumesFrom'))] },
  async ({ engine, use }) => {
    await control(use(removed), 204);
    const used = await makeVolume(engine);
    const first = await containerWith(engine, used);
    // What counts as in use is not stated; a volume of a running process certainly is.
    await makeContainer(engine, { hostConfig: { VolumesFrom: [first.name] }, state: 'running' });
    await given(first.remove(), 204);
    expect(await engine.delete(volumePath(used))).toHaveStatus(409);
  },
);

check('volumes.remove.by-name', { faults: [swallows(204)] }, async ({ engine }) => {
  const [gone, kept] = [await makeVolume(engine), await makeVolume(engine)];
  await given(engine.delete(volumePath(gone)), 204);
  expect(await engine.get(volumePath(gone))).toHaveStatus(404);
  expect(await engine.get(volumePath(kept))).toHaveStatus(200);
});

check('volumes.remove.data-gone', { faults: [swallows(204)] }, async ({ engine }) => {
  const name = await makeVolume(engine);
  const writer = await containerWith(engine, name, ['write', '/data/ec-kept', 'x']);
  await given(writer.remove(), 204);
  await given(removeFreed(engine, name), 204);
  await given(createVolume(engine, name), 201);
  const { stdout, evidence } = await outputWith(engine, {
    run: ['list', '/data', 'out', 'listed\\n'],
    hostConfig: { Binds: [`${name}:/data`] },
    network: 'any',
  });
  const files = stdout.split('\n');
  expectValue('the files of the new volume, and what ends their list', files, [evidence]).toContain('listed');
  expectValue('the files of the new volume', files, [evidence]).toLack('ec-kept');
});

check('volumes.remove.volume-gone', { faults: [swallows(204)] }, async ({ engine }) => {
  const name = await makeVolume(engine);
  await control(engine.get(volumePath(name)), 200);
  await given(engine.delete(volumePath(name)), 204);
  expect(await engine.get(volumePath(name))).toHaveStatus(404);
});
