import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { check, fixture } from '../../../harness/check.ts';
import { create, createBody, makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { control, given } from '../../../harness/engine/given.ts';
import { lookUntil } from '../../../harness/engine/look-until.ts';
import { outputWith } from '../../../harness/engine/output.ts';
import { expect, expectValue, observe } from '../../../harness/expect/expect.ts';
import { answersStatus } from '../../../harness/faults/answers.ts';
import { on, onRepeats } from '../../../harness/faults/fault.ts';
import { setsField } from '../../../harness/faults/fields.ts';
import { ignoresBodyField, takesBodyFieldAs } from '../../../harness/faults/requests.ts';
import { valuesAt } from '../../../harness/streams/json-path.ts';
import { NotApplicable } from '../../../harness/verdict/outcomes.ts';
import { keysOf } from '../../../specs/keys.ts';
import { unlessDiscarded } from '../../support/host-warnings.ts';
import { ifRight, ifThere } from '../../support/shared-results.ts';
import { lookUpMs, unknownDriver, unknownVolumeDriver } from '../../support/unknown-driver.ts';
import { meansSame } from '../support/equivalent-values.ts';
import { withOtherSettings } from '../support/tried-together.ts';

function createWith(engine: Engine, hostConfig: Readonly<Record<string, unknown>>): Promise<Exchange> {
  return create(engine, createBody(engine, { hostConfig }));
}

/** Options of a bind, and what a container with it reads and writes. */
const binds = [
  { id: 'containers.create.host-config.bind-host-path', options: '', output: 'of the host done', written: 'x' },
  {
    id: 'containers.create.host-config.bind-host-path-ro',
    options: ':ro',
    // 30 is EROFS.
    output: 'of the host error 30\ndone',
    written: undefined,
  },
] as const;

interface BoundPath {
  readonly stdout: string;
  /** What is on the host of the file that the container writes. */
  readonly written: string | undefined;
  readonly evidence: Exchange;
}

/** Runs a container with a directory of the host for each of the options, and tells what became of each. */
async function withPaths(engine: Engine, options: readonly string[]): Promise<readonly BoundPath[]> {
  const parent = await mkdtemp(path.join(tmpdir(), 'engine-conformance-bind-'));
  try {
    const places = options.map((option, i) => ({ option, source: path.join(parent, String(i)), at: `/ec-bind-${i}` }));
    for (const { source } of places) {
      await mkdir(source);
      await writeFile(path.join(source, 'file'), 'of the host ');
    }
    const { stdout, evidence } = await outputWith(engine, {
      run: places.flatMap(({ at }) => [
        'try',
        'read',
        `${at}/file`,
        'try',
        'write',
        `${at}/written`,
        'x',
        'out',
        'done|',
      ]),
      hostConfig: { Binds: places.map(({ source, at, option }) => `${source}:${at}${option}`) },
      network: 'any',
    });
    const shown = stdout.split('|');
    return await Promise.all(
      places.map(async ({ source }, place) => {
        const written = await readFile(path.join(source, 'written'), 'utf8').catch(() => undefined);
        return { stdout: shown[place] ?? '', written, evidence };
      }),
    );
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}

const boundTogether = fixture('a container with directories of the host', ({ engine }) =>
  withPaths(
    engine,
    binds.map(({ options }) => options),
  ),
);

for (const [place, { id, options, output, written }] of binds.entries()) {
  check(id, { faults: [ignoresBodyField('HostConfig.Binds')] }, async ({ engine, use }) => {
    const shared = (await ifThere(use(boundTogether)))?.[place];
    const isRight = (one: BoundPath) => one.stdout === output && one.written === written;
    const shown = ifRight(shared, isRight, withOtherSettings, ({ evidence }) => evidence);
    const [bound] = shown ? [shown] : await withPaths(engine, [options]);
    if (!bound) throw new Error('a path that was bound is missing');
    expectValue('what the container reads and writes', bound.stdout, [bound.evidence]).toBe(output);
    expectValue('the file that the container wrote, on the host', bound.written, [bound.evidence]).toBe(written);
  });
}

/** Not started; the control for paths that are not absolute. */
const ofAbsolutePaths = fixture('the answer of create with absolute paths in Binds', ({ engine }) =>
  createWith(engine, { Binds: ['/tmp:/ec-bind:ro'] }),
);

check(
  'containers.create.host-config.bind-relative-refused',
  { faults: [answersStatus(201), ignoresBodyField('HostConfig.Binds')] },
  async ({ engine, use }) => {
    await control(use(ofAbsolutePaths), 201);
    expect(await createWith(engine, { Binds: ['/tmp:ec-bind:ro'] })).toBeRefused();
  },
);

for (const [name, value] of [
  ['cpuset-range', '0-0'],
  ['cpuset-list', '0,0'],
] as const) {
  check(`containers.create.host-config.${name}`, { faults: [answersStatus(400, 201)] }, async ({ engine }) => {
    const answer = await createWith(engine, { CpusetCpus: value });
    expect(answer).toHaveStatus(201);
    unlessDiscarded(answer);
    const inspect = await given(engine.get(`/containers/${valuesAt(answer.json, 'Id')[0]}/json`), 200);
    const [shown = null] = valuesAt(inspect.json, 'HostConfig.CpusetCpus');
    expectValue('HostConfig.CpusetCpus', shown, [inspect]).toSatisfy(`the CPUs in ${value}`, () =>
      meansSame('HostConfig.CpusetCpus', shown, value),
    );
  });
}

/** Options that a driver may require; the documents leave them open. */
const driverOptions = {
  'json-file': {},
  syslog: {},
  journald: {},
  gelf: { 'gelf-address': 'udp://127.0.0.1:12201' },
  none: {},
  cloudlogs: { 'awslogs-region': 'us-east-1', 'awslogs-group': 'ec' },
  fluentd: {},
  searchlogs: { 'splunk-token': 'ec', 'splunk-url': 'https://127.0.0.1:8088' },
} as const;

for (const driver of keysOf(driverOptions)) {
  const another = driver === 'json-file' ? 'none' : 'json-file';
  check(
    `containers.create.host-config.log-driver-${driver}`,
    {
      faults: [answersStatus(400, 201), takesBodyFieldAs('HostConfig.LogConfig', { Type: another, Config: {} })],
    },
    async ({ engine, target }) => {
      const words: Readonly<Record<string, string>> = target.dialect.words;
      const Type = words[driver] ?? driver;
      const plain = await createWith(engine, { LogConfig: { Type, Config: {} } });
      const Config = driverOptions[driver];
      // A driver may insist on its own options.
      const answer = plain.status === 201 ? plain : await createWith(engine, { LogConfig: { Type, Config } });
      expect(answer).toHaveStatus(201);
      const inspect = await given(engine.get(`/containers/${valuesAt(answer.json, 'Id')[0]}/json`), 200);
      const taken = String(valuesAt(inspect.json, 'HostConfig.LogConfig.Type')[0]);
      expectValue('HostConfig.LogConfig.Type of inspect', taken, [inspect]).toBeOneOf(driver, Type);
    },
  );
}

check(
  'containers.create.host-config.log-driver-unknown-refused',
  { long: true, faults: [takesBodyFieldAs('HostConfig.LogConfig', { Type: 'json-file', Config: {} })] },
  async ({ engine }) => {
    const startWith = async (Type: string) => {
      const created = await createWith(engine, { LogConfig: { Type, Config: {} } });
      if (created.status !== 201) return created;
      return engine.post(`/containers/${valuesAt(created.json, 'Id')[0]}/start`, { takesMs: lookUpMs });
    };
    await control(createWith(engine, { LogConfig: { Type: 'json-file', Config: {} } }), 201);
    // A driver that does not exist cannot log, so create or start fails.
    expect(await startWith(unknownDriver)).toBeRefused();
  },
);

check('containers.create.host-config.rate-text', { faults: [] }, async ({ engine }) => {
  const answer = await createWith(engine, { BlkioDeviceReadBps: [{ Path: '/dev/zero', Rate: '1048576' }] });
  observe(`answers ${answer.status} to a Rate that is a text`, answer);
});

check(
  'containers.create.host-config.auto-remove',
  { faults: [ignoresBodyField('HostConfig.AutoRemove')], slowToFail: true },
  async ({ engine }) => {
    const container = await makeContainer(engine, { state: 'running', hostConfig: { AutoRemove: true } });
    await given(container.inspect(), 200);
    await given(container.kill(), 204);
    // It is removed some time after its exit.
    const look = () => container.inspect();
    expect(await lookUntil(look, ({ status }) => status !== 200, 10_000)).toHaveStatus(404);
  },
);

check(
  'containers.create.host-config.auto-remove-ignored',
  { faults: [on('GET /containers/{id}/json', onRepeats(answersStatus(404, 200)))] },
  async ({ engine }) => {
    const container = await makeContainer(engine, { state: 'running', hostConfig: { AutoRemove: true } });
    await given(container.inspect(), 200);
    await given(container.kill(), 204);
    // Where it is removed, that takes a moment.
    const look = () => container.inspect();
    expect(await lookUntil(look, ({ status }) => status !== 200, 1_500)).toHaveStatus(200);
  },
);

// Older versions refuse so little, where they know the field.
check(
  'containers.create.host-config.kernel-memory-ignored',
  { faults: [answersStatus(400, 201)] },
  async ({ engine }) => {
    expect(await createWith(engine, { KernelMemory: 1 })).toHaveStatus(201);
  },
);

for (const [rule, mode, another] of [
  ['containers.create.host-config.ipc-mode-shareable', 'shareable', 'private'],
  ['containers.create.host-config.ipc-mode-default', 'private', 'shareable'],
] as const) {
  const faults = [on('GET /containers/{id}/json', setsField('HostConfig.IpcMode', another))];
  check(rule, { faults }, async ({ engine }) => {
    // With a HostConfig, as one that is missing need not get the defaults of older clients.
    const container = await makeContainer(engine, { hostConfig: { Privileged: false } });
    expect(await given(container.inspect(), 200))
      .field('HostConfig.IpcMode')
      .toBe(mode);
  });
}

check('containers.create.host-config.lxc-conf', { faults: [answersStatus(400, 201)] }, async ({ engine }) => {
  expect(await createWith(engine, { LxcConf: { 'lxc.utsname': 'ec' } })).toHaveStatus(201);
});

check(
  'containers.create.host-config.lxc-conf-ignored',
  { faults: [takesBodyFieldAs('Hostname', 'ec-lxc')] },
  async ({ engine }) => {
    const info = await given(engine.get('/info'), 200);
    const [driver] = valuesAt(info.json, 'ExecutionDriver');
    if (String(driver).startsWith('lxc')) throw new NotApplicable('its execution driver is lxc');
    const { stdout, evidence } = await outputWith(engine, {
      run: ['hostname'],
      config: { Hostname: 'ec-own' },
      hostConfig: { LxcConf: { 'lxc.utsname': 'ec-lxc' } },
    });
    expectValue('the hostname of the container', stdout, [info, evidence]).toBe('ec-own\n');
  },
);

for (const [name, ...sources] of [
  ['bind-relative-host-refused', './', '../tmp'],
  ['bind-relative-source-refused', './tmp', '../tmp', './'],
] as const) {
  check(
    `containers.create.host-config.${name}`,
    { faults: [answersStatus(201), ignoresBodyField('HostConfig.Binds')] },
    async ({ engine, use }) => {
      await control(use(ofAbsolutePaths), 201);
      for (const source of sources)
        expect(await createWith(engine, { Binds: [`${source}:/ec-bind:ro`] })).toBeRefused();
    },
  );
}
/** Starts a container with a volume; the answer of create where that was refused. */
async function startWithDriver(engine: Engine, VolumeDriver: string): Promise<Exchange> {
  const name = engine.name('container');
  const config = { Volumes: { '/ec-volume': {} } };
  const json = createBody(engine, { config, hostConfig: { VolumeDriver }, network: 'any' });
  const created = await engine.post('/containers/create', { query: { name }, json, takesMs: lookUpMs });
  return created.status === 201 ? engine.post(`/containers/${name}/start`, { takesMs: lookUpMs }) : created;
}

const ofDriverLocal = fixture(
  'the start of a container with a volume of the driver local',
  ({ engine }) => startWithDriver(engine, 'local'),
  { allVersions: (made) => made },
);

check(
  'containers.create.host-config.volume-driver',
  { long: true, faults: [ignoresBodyField('HostConfig.VolumeDriver')] },
  async ({ engine, use }) => {
    await control(use(ofDriverLocal), 204);
    // A driver that does not exist cannot mount anything, so create or start fails.
    expect(await startWithDriver(engine, unknownVolumeDriver('mount', engine))).toBeRefused();
  },
);
