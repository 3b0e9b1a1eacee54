import { check, fixture } from '../../../harness/check.ts';
import { Container } from '../../../harness/engine/container.ts';
import { create, createBody, makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { given } from '../../../harness/engine/given.ts';
import { lookUntil } from '../../../harness/engine/look-until.ts';
import { type ContainerOutput, outputWith, saying } from '../../../harness/engine/output.ts';
import { expect, expectValue, observe } from '../../../harness/expect/expect.ts';
import { answersStatus } from '../../../harness/faults/answers.ts';
import { type Fault, on } from '../../../harness/faults/fault.ts';
import { setsField } from '../../../harness/faults/fields.ts';
import { ignoresBodyField, takesBodyFieldAs } from '../../../harness/faults/requests.ts';
import { isObject, valuesAt } from '../../../harness/streams/json-path.ts';
import { holdsText } from '../../../harness/streams/text.ts';
import type { Target } from '../../../harness/target/target.ts';
import type { RuleId } from '../../../specs/catalogue.ts';
import type { ApiVersion } from '../../../specs/versions.ts';
import { anotherTime, ifRight, ifThere, itself } from '../../support/shared-results.ts';
import { expectText } from '../../support/streams/expect-text.ts';
import { bridged, configured } from '../support/created-together.ts';
import { addressesIn, givenNames, hardwareAddresses, readingAddresses } from '../support/interfaces.ts';
import { stoppedByItself } from '../support/stop-patience.ts';
import { withOtherSettings } from '../support/tried-together.ts';
import { made } from './create.ts';

type Config = Readonly<Record<string, unknown>>;

interface Effect {
  /** Default: as if the field had not been sent. */
  readonly fault?: Fault;
  readonly config: Config;
  /** Steps of the probe; default: those in `config.Cmd`. */
  readonly run?: readonly string[];
  /** What the container's stdout has to match. */
  readonly shows: RegExp;
  /** Whether one container can have it with other fields. */
  readonly together?: true;
}

/** A field whose effect the process sees and reports in its output. */
function checkEffect(id: RuleId, field: string, { fault, config, run, shows, ...effect }: Effect): void {
  if (effect.together && run) configured.add(id, { config, run });
  check(id, { faults: [fault ?? ignoresBodyField(field)] }, async (context) => {
    const shown = await configured.outputOf(context, id, (text) => shows.test(text));
    const { stdout, evidence } = shown ?? (await outputWith(context.engine, { config, ...(run && { run }) }));
    expectValue('the output of the container', stdout, [evidence]).toMatch(shows);
  });
}

// The first of all, as what its entrypoint writes comes first.
checkEffect('containers.create.config.entrypoint-list', 'Entrypoint', {
  config: { Entrypoint: ['/probe', 'out', 'from the entrypoint\\n'] },
  run: ['out', 'and the command\\n'],
  shows: /^from the entrypoint\nand the command\n$/,
  together: true,
});
checkEffect('containers.create.config.hostname', 'Hostname', {
  config: { Hostname: 'ec-hostname' },
  run: ['hostname'],
  shows: /^ec-hostname\n$/,
  together: true,
});
checkEffect('containers.create.config.domainname', 'Domainname', {
  config: { Domainname: 'example.test' },
  run: ['domainname'],
  shows: /^example\.test\n$/,
  together: true,
});
checkEffect('containers.create.config.user', 'User', {
  config: { User: '1000:2000' },
  run: ['id'],
  shows: /^uid=1000 gid=2000\b/,
  together: true,
});
checkEffect('containers.create.config.env', 'Env', {
  config: { Env: ['EC_ONE=1', 'EC_TWO=a=b c'] },
  run: ['env'],
  // In any order, as the documents give none.
  shows: /^(?=[\s\S]*^EC_ONE=1$)(?=[\s\S]*^EC_TWO=a=b c$)/m,
  together: true,
});
checkEffect('containers.create.config.cmd-list', 'Cmd', {
  fault: takesBodyFieldAs('Cmd', ['out', 'another\\n']),
  config: { Cmd: ['out', 'from the list\\n'] },
  shows: /^from the list\n$/,
});
// Every container of the probe has a list; it is the same with other fields.
configured.add('containers.create.config.cmd-list', { run: ['out', 'from the list\\n'] });
checkEffect('containers.create.config.working-dir', 'WorkingDir', {
  config: { WorkingDir: '/work' },
  run: ['cwd'],
  shows: /^\/work\n$/,
  together: true,
});
checkEffect('containers.create.config.volumes', 'Volumes', {
  config: { Volumes: { '/ec-volume': {} } },
  run: ['read', '/proc/self/mountinfo'],
  shows: / \/ec-volume /,
  together: true,
});

const withStdin = { config: { Tty: true, OpenStdin: true }, run: ['tty'], network: 'any' } as const;
const ofTerminal = fixture('what a container with a terminal and stdin says of them', ({ engine }) =>
  outputWith(engine, withStdin),
);

for (const [name, setting, shows] of [
  ['tty', { config: { Tty: true }, run: ['tty'], network: 'any' }, /^tty=[01]11\r?\n/],
  ['tty-stdin', withStdin, /^tty=111\r?\n/],
] as const) {
  check(`containers.create.config.${name}`, { faults: [ignoresBodyField('Tty')] }, async ({ engine, use }) => {
    const shared = await ifThere(use(ofTerminal));
    const isShown = (output: ContainerOutput) => shows.test(output.stdout);
    const shown = ifRight(shared, isShown, withOtherSettings, ({ evidence }) => evidence);
    const { stdout, evidence } = shown ?? (await outputWith(engine, setting));
    expectValue('the output of the container', stdout, [evidence]).toMatch(shows);
  });
}

/** Path and Args of inspect as one text. */
function wordsOf(inspect: Exchange): string {
  return [valuesAt(inspect.json, 'Path'), valuesAt(inspect.json, 'Args')].flat(2).join(' ');
}

const writesArgs = ['/probe', 'args', 'exit', '0'];
const splits = { config: { Entrypoint: writesArgs, Cmd: 'exit 3' }, network: 'any' } as const;
const ofString = fixture('the arguments of a process whose Cmd is a string', ({ engine }) =>
  outputWith(engine, splits),
);

function wordsWritten({ stdout }: ContainerOutput): string[] {
  return stdout.split('\n').filter((word) => word !== '');
}

// A string may be run as it is or by a shell, and how it is split is left open. So it is one word, and any arguments in
// front of it are not judged. The probe writes its arguments before it looks at what follows `args`.
check(
  'containers.create.config.cmd-string',
  { faults: [answersStatus(400, 201), takesBodyFieldAs('Cmd', ['forever']), takesBodyFieldAs('Cmd', [...'ec-word'])] },
  async ({ engine, use }) => {
    const shared = await ifThere(use(ofString));
    const last = shared && wordsWritten(shared).at(-1);
    if (shared && (last === 'exit 3' || last === '3')) {
      expectValue('the last argument of the process', last, [shared.evidence]).toBeOneOf('exit 3', '3');
      return;
    }
    const { stdout, evidence } = await outputWith(engine, {
      config: { Entrypoint: writesArgs, Cmd: 'ec-word' },
      network: 'any',
    });
    expectValue('the last argument of the process', stdout.trimEnd().split('\n').at(-1), [evidence]).toBe('ec-word');
  },
);

check(
  'containers.create.config.entrypoint-string',
  {
    faults: [
      answersStatus(400, 201),
      takesBodyFieldAs('Entrypoint', ['/probe']),
      on('GET /containers/{id}/json', setsField('Path', '/probe')),
    ],
  },
  async ({ engine }) => {
    // A program of the image other than its own entrypoint.
    const body = createBody(engine, { config: { Entrypoint: '/ps', Cmd: ['aux'] } });
    const answer = await create(engine, body);
    expect(answer).toHaveStatus(201);
    const inspect = await given(engine.get(`/containers/${valuesAt(answer.json, 'Id')[0]}/json`), 200);
    expectValue('Path and Args of inspect', wordsOf(inspect), [answer, inspect]).toMatch(/(?:^| )\/ps\b/);
    const entrypoint = valuesAt(inspect.json, 'Config.Entrypoint').flat();
    expectValue('Config.Entrypoint of inspect', entrypoint.join(' '), [inspect]).toMatch(/\/ps$/);
  },
);

check('containers.create.config.string-split', { faults: [] }, async ({ engine, use }) => {
  const output = (await ifThere(use(ofString))) ?? (await outputWith(engine, splits));
  const words = wordsWritten(output).slice(writesArgs.length);
  observe(`makes ${JSON.stringify(words)} of a Cmd that is the string 'exit 3'`, output.evidence);
});

for (const [name, value] of [
  ['null', null],
  ['empty', ''],
] as const) {
  check(
    `containers.create.config.entrypoint-${name}`,
    { faults: [answersStatus(400, 201), takesBodyFieldAs('Entrypoint', ['/probe', 'exit', '9'])] },
    async ({ engine }) => {
      const answer = await create(engine, createBody(engine, { config: { Entrypoint: value }, run: ['exit', '7'] }));
      expect(answer).toHaveStatus(201);
      const inspect = await given(engine.get(`/containers/${valuesAt(answer.json, 'Id')[0]}/json`), 200);
      // Unset means the image's entrypoint or none, and never anything else. Whether Args has the program, too, is not said.
      const words = new Set(wordsOf(inspect).split(' '));
      for (const word of ['exit', '7']) expectValue('Path and Args of inspect', [...words], [inspect]).toContain(word);
      const others = [...words].filter((word) => !['', '/probe', 'exit', '7'].includes(word));
      expectValue('what Path and Args of inspect have besides', others, [inspect]).toBe([]);
    },
  );
}

/** Of a container that runs: that a client can attach to another is not said. */
const fromStart = { logs: true, stream: true, stdin: true, stdout: true } as const;

/** A container that a client writes to and leaves, with what came of it. */
const leftByClient = fixture('a container with stdin whose only client leaves', async ({ engine }) => {
  const config = { OpenStdin: true, StdinOnce: true, AttachStdin: true };
  const run = ['out', 'ready\\n', 'echo-line', 'out', 'end of line\\n', 'count', 'exit', '5'];
  const container = await makeContainer(engine, { run, config, state: 'running', network: 'any' });
  const attach = await given(container.attach(fromStart), 101, 200);
  await attach.receivedText('ready');
  attach.write('a line\n');
  const bytes = await attach.receivedText('end of line');
  attach.write('four');
  attach.drop();
  return { attach, bytes, wait: await container.wait() };
});

check('containers.create.config.open-stdin', { faults: [ignoresBodyField('OpenStdin')] }, async ({ engine, use }) => {
  const isEchoed = ({ bytes }: { bytes: Buffer }) => holdsText(bytes, 'a line\n');
  const left = ifRight(await ifThere(use(leftByClient)), isEchoed, withOtherSettings, ({ attach }) => attach);
  if (left) {
    expectText('the output on the stream', left.bytes, 'a line\n', left.attach);
    return;
  }
  const run = ['out', 'ready\\n', 'echo-line', 'out', 'end of input\\n', 'forever'];
  const container = await makeContainer(engine, { run, config: { OpenStdin: true }, state: 'running', network: 'any' });
  const attach = await given(container.attach(fromStart), 101, 200);
  await attach.receivedText('ready');
  attach.write('a line\n');
  const bytes = await attach.receivedText('end of input');
  expectText('the output on the stream', bytes, 'a line\n', attach);
});

/** A process that sees the end of its input ends at once. */
const seesEndMs = 10_000;

check(
  'containers.create.config.open-stdin-default',
  { long: true, faults: [takesBodyFieldAs('OpenStdin', true)] },
  async ({ engine }) => {
    const container = await makeContainer(engine, { run: ['count', 'exit', '7'], network: 'any' });
    await given(container.start(), 204);
    const look = () => given(container.inspect(), 200);
    const inspect = await lookUntil(look, ({ json }) => valuesAt(json, 'State.ExitCode')[0] === 7, seesEndMs);
    expect(inspect).field('State.ExitCode').toBe(7);
  },
);

check(
  'containers.create.config.stdin-once',
  { faults: [ignoresBodyField('StdinOnce')], slowToFail: true },
  async ({ engine, use }) => {
    const hasEnded = ({ wait }: { wait: Exchange }) =>
      wait.status === 200 && valuesAt(wait.json, 'StatusCode')[0] === 5;
    const left = ifRight(await ifThere(use(leftByClient)), hasEnded, anotherTime, ({ wait }) => wait);
    if (left) {
      expect(left.wait).field('StatusCode').toBe(5);
      return;
    }
    const config = { OpenStdin: true, StdinOnce: true, AttachStdin: true };
    const run = ['out', 'ready\\n', 'count', 'exit', '5'];
    const container = await makeContainer(engine, { run, config, state: 'running', network: 'any' });
    const attach = await given(container.attach(fromStart), 101, 200);
    await attach.receivedText('ready');
    attach.write('four');
    attach.drop();
    const wait = await container.wait();
    expect(wait).toHaveStatus(200);
    expect(wait).field('StatusCode').toBe(5);
  },
);

check(
  'containers.create.config.image',
  { faults: [on('GET /containers/{id}/json', setsField('Image', 'sha256:0000'))] },
  async ({ engine, use }) => {
    const { name } = await use(made);
    const inspect = await given(engine.get(`/containers/${name}/json`), 200);
    const image = await given(engine.get(`/images/${engine.sandbox.image}/json`), 200);
    const plain = (id: unknown) => String(id).replace(/^sha256:/, '');
    expectValue('Image of inspect', plain(valuesAt(inspect.json, 'Image')[0]), [image, inspect]).toBe(
      plain(valuesAt(image.json, 'Id')[0]),
    );
  },
);

const disabled = { config: { NetworkDisabled: true }, run: ['list', '/sys/class/net'] };
configured.add('containers.create.config.network-disabled', disabled);

check(
  'containers.create.config.network-disabled',
  { faults: [ignoresBodyField('NetworkDisabled')], notOn: withoutNetwork },
  async (context) => {
    const shown = await configured.outputOf(context, 'containers.create.config.network-disabled', (names) => {
      return givenNames(names).length === 0;
    });
    const { stdout, evidence } = shown ?? (await outputWith(context.engine, disabled));
    expectValue('the network interfaces of the container', givenNames(stdout), [evidence]).toBe([]);
  },
);

/** Where no container gets a network, the lack of one proves nothing. */
function withoutNetwork(target: Target, _api: ApiVersion): string | undefined {
  return target.lacks.networking;
}

const address = '02:42:ac:11:00:99';
const withAddress = { config: { MacAddress: address } };
bridged.add('containers.create.config.mac-address', { ...withAddress, run: readingAddresses });

check('containers.create.config.mac-address', { faults: [ignoresBodyField('MacAddress')] }, async (context) => {
  const shown = await bridged.outputOf(context, 'containers.create.config.mac-address', (text) => {
    return addressesIn(text).includes(address);
  });
  const { addresses, evidence } = shown
    ? { addresses: addressesIn(shown.stdout), evidence: [shown.evidence] }
    : await hardwareAddresses(context.engine, withAddress);
  expectValue('the addresses of the interfaces of the container', addresses, evidence).toContain(address);
});

/** Makes containers as the last version did that knew MacAddress. */
const knowsAddress: Fault = {
  name: 'gives the container the address in MacAddress',
  request: (request) => ({ ...request, path: request.path.replace(/^\/v1\.\d+/, '/v1.51') }),
};

check('containers.create.config.mac-address-ignored', { faults: [knowsAddress] }, async ({ engine }) => {
  const { addresses, evidence } = await hardwareAddresses(engine, withAddress);
  expectValue('the addresses of the interfaces of the container', addresses, evidence).toLack(address);
});

const ofPorts = fixture('the inspect answer of a container with exposed ports', async ({ engine }) => {
  const ports = { '8053/tcp': {}, '8053/udp': {} };
  return given((await makeContainer(engine, { config: { ExposedPorts: ports } })).inspect(), 200);
});

for (const protocol of ['tcp', 'udp'] as const) {
  check(
    `containers.create.config.exposed-port-${protocol}`,
    { faults: [ignoresBodyField('ExposedPorts')] },
    async ({ use }) => {
      const port = `8053/${protocol}`;
      const inspect = await use(ofPorts);
      const [ports] = valuesAt(inspect.json, 'Config.ExposedPorts');
      expectValue('the exposed ports of inspect', isObject(ports) ? Object.keys(ports) : ports, [inspect]).toContain(
        port,
      );
    },
  );
}

/** Stops a container and returns its log, in which it names the signal that it got. */
async function logAfterStop(engine: Engine, config: Config): Promise<Exchange> {
  const created = await create(
    engine,
    createBody(engine, { run: ['catch', 'out', 'ready\\n', 'wait-signal'], config, network: 'any' }),
  );
  expect(created).toHaveStatus(201);
  const container = new Container(engine, String(valuesAt(created.json, 'Id')[0]), '');
  await given(container.start(), 204);
  await container.hasWritten('ready');
  await given(container.stop({ t: 10 }), 204);
  return given(container.logs({ stdout: true }, saying('signal ')), 200);
}

for (const [form, value] of [
  ['string', 'SIGUSR1'],
  ['integer', 10],
] as const) {
  check(
    `containers.create.config.stop-signal-${form}`,
    { faults: [ignoresBodyField('StopSignal')] },
    async ({ engine }) => {
      const log = await logAfterStop(engine, { StopSignal: value });
      expectValue('what the container says of its signal', log.output, [log]).toContain('signal 10\n');
    },
  );
}

check(
  'containers.create.config.stop-signal-default',
  { faults: [takesBodyFieldAs('StopSignal', 'SIGUSR1')] },
  async ({ engine, use }) => {
    const stopped = await ifThere(use(stoppedByItself));
    const isTold = ({ output }: Exchange) => output.includes('signal 15\n');
    const log = ifRight(stopped?.log, isTold, 'after a stop with t', itself) ?? (await logAfterStop(engine, {}));
    expectValue('what the container says of its signal', log.output, [log]).toContain('signal 15\n');
  },
);
