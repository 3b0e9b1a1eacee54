import { check, fixture } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { isObject, valuesAt } from '../../harness/expect/json-path.ts';
import { undocumentedFields } from '../../harness/expect/undocumented.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { ignoresQuery, knowsOnly, takesQueryAs } from '../../harness/faults/requests.ts';
import { containerInspect } from '../../specs/resources/container.ts';
import { checkFields, fieldRulesOf } from '../field-checks.ts';
import { hasTidiedUp } from './tidied.ts';

/** The inspect answer of a running container with a volume and a published port. */
const rich = fixture('the inspect answer of a running container', async ({ engine, api }) => {
  const container = await makeContainer(engine, {
    run: ['write', '/ec-written', 'some bytes', 'out', 'ready\\n', 'forever'],
    state: 'running',
    config: { ExposedPorts: { '8080/tcp': {} }, Volumes: { '/ec-volume': {} } },
    hostConfig: { PortBindings: { '8080/tcp': [{ HostPort: '' }] } },
  });
  await container.hasWritten('ready');
  return given(container.inspect(api === '1.20' ? undefined : { size: true }), 200);
});

/** Fields of Config and HostConfig that echo what create was given are judged after they were set. */
const echoes = fieldRulesOf('containers.inspect.field.').filter(({ field }) => field.schema.presence === 'echo');
const others = fieldRulesOf('containers.inspect.field.').filter((rule) => !echoes.includes(rule));

checkFields(others, rich);

// The image of the suite has no triggers, and no request of the documents sets them.
checkFields(
  echoes.filter(({ field }) => field.path === 'Config.OnBuild'),
  rich,
);

check('containers.inspect.answers-200', { faults: [answersStatus(204, 200)] }, async ({ engine }) => {
  const container = await makeContainer(engine);
  expect(await container.inspect()).toHaveStatus(200);
});

check('containers.inspect.unknown-answers-404', { faults: [answersStatus(200, 404)] }, async ({ engine }) => {
  const container = await makeContainer(engine);
  await control(container.inspect(), 200);
  expect(await engine.get(`/containers/${engine.name('container')}/json`)).toHaveStatus(404);
});

check('containers.inspect.id-or-name', { faults: [setsField('Id', 'another')] }, async ({ engine }) => {
  const { id, name } = await makeContainer(engine);
  for (const form of [id, name]) {
    const answer = await engine.get(`/containers/${form}/json`);
    expect(answer).toHaveStatus(200);
    expect(answer).field('Id').toBe(id);
  }
});

const sizes = ['SizeRw', 'SizeRootFs'] as const;

async function sizesAt(engine: Engine, id: string, size: string | undefined) {
  const answer = await given(engine.get(`/containers/${id}/json`, { size }), 200);
  const { json } = answer;
  // The container has written, so a size that was measured is not 0; a 0 is as good as absent.
  const there = sizes.filter((name) => isObject(json) && Number(json[name]) > 0);
  return expectValue(`the sizes with ${size === undefined ? 'no size' : `size=${size}`}`, there, [answer]);
}

check('containers.inspect.size-true', { faults: [ignoresQuery('size')] }, async ({ engine, use }) => {
  (await sizesAt(engine, await idOfRich(use), '1')).toBe([...sizes]);
});

check('containers.inspect.size-default-false', { faults: [takesQueryAs('size', '1')] }, async ({ engine, use }) => {
  (await sizesAt(engine, await idOfRich(use), undefined)).toBe([]);
});

check(
  'containers.inspect.size-spellings',
  { faults: [knowsOnly('size', '1'), takesQueryAs('size', '1')] },
  async ({ engine, use }) => {
    const id = await idOfRich(use);
    for (const size of ['1', 'True', 'true']) (await sizesAt(engine, id, size)).toBe([...sizes]);
    for (const size of ['0', 'False', 'false']) (await sizesAt(engine, id, size)).toBe([]);
  },
);

type Use = Parameters<Parameters<typeof check>[2]>[0]['use'];

async function idOfRich(use: Use): Promise<string> {
  const answer = await use(rich);
  return String(valuesAt(answer.json, 'Id')[0]);
}

check('containers.inspect.no-ExecDriver', { faults: [setsField('ExecDriver', 'native-0.2')] }, async ({ use }) => {
  expect(await use(rich))
    .field('ExecDriver')
    .toBeAbsent();
});

check('containers.inspect.no-LxcConf', { faults: [setsField('HostConfig.LxcConf', [])] }, async ({ use }) => {
  expect(await use(rich))
    .field('HostConfig.LxcConf')
    .toBeAbsent();
});

check(
  'containers.inspect.running-state',
  { faults: [true, false].map((on) => setsField('State.Running', on)) },
  async ({ engine }) => {
    const running = await makeContainer(engine, { state: 'running' });
    expect(await given(running.inspect(), 200))
      .field('State.Running')
      .toBe(true);
    const exited = await makeContainer(engine, { state: 'exited' });
    expect(await given(exited.inspect(), 200))
      .field('State.Running')
      .toBe(false);
  },
);

check(
  'containers.inspect.paused-state',
  { faults: [true, false].map((on) => setsField('State.Paused', on)) },
  async ({ engine }) => {
    const paused = await makeContainer(engine, { state: 'paused' });
    expect(await given(paused.inspect(), 200))
      .field('State.Paused')
      .toBe(true);
    const running = await makeContainer(engine, { state: 'running' });
    expect(await given(running.inspect(), 200))
      .field('State.Paused')
      .toBe(false);
  },
);

check('containers.inspect.restarting-state', { faults: [setsField('State.Restarting', false)] }, async ({ engine }) => {
  const container = await makeContainer(engine, {
    run: ['exit', '1'],
    hostConfig: { RestartPolicy: { Name: 'always', MaximumRetryCount: 0 } },
  });
  await given(container.start(), 204);
  // The delay before each restart doubles, so that after some the container is nearly always waiting for the next.
  await container.hasRestarted(3);
  const seen: unknown[] = [];
  for (let look = 0; look < 40 && !seen.includes(true); look++) {
    seen.push(valuesAt((await given(container.inspect(), 200)).json, 'State.Restarting')[0]);
  }
  const last = await given(container.inspect(), 200);
  expectValue('State.Restarting in 40 looks between restarts', seen, [last]).toContain(true);
});

check(
  'containers.inspect.status-value',
  { faults: [setsField('State.Status', 'running'), setsField('State.Status', 'up')] },
  async ({ engine }) => {
    for (const state of ['created', 'running', 'exited'] as const) {
      const container = await makeContainer(engine, { state });
      if (state === 'exited') await hasTidiedUp(container);
      expect(await given(container.inspect(), 200))
        .field('State.Status')
        .toBe(state);
    }
  },
);

check('containers.inspect.mount-of-bind', { faults: [] }, async ({ engine }) => {
  const container = await makeContainer(engine, { hostConfig: { Binds: ['/tmp:/ec-bind:ro'] } });
  const answer = await given(container.inspect(), 200);
  const [mount] = valuesAt(answer.json, 'Mounts').flat();
  const has = (name: string) => (isObject(mount) && mount[name] ? `a ${name}` : `no ${name}`);
  observe(`a bind has ${has('Name')} and ${has('Driver')}`, answer);
});

check('containers.inspect.undocumented', { faults: [] }, async ({ use, api }) => {
  const answer = await use(rich);
  observe(undocumentedFields(answer.json, containerInspect, api), answer);
});
