import { check } from '../../harness/check.ts';
import { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import type { LiveExchange } from '../../harness/engine/live-exchange.ts';
import type { Query } from '../../harness/engine/query.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { answersBody, answersStatus } from '../../harness/faults/answers.ts';
import { on } from '../../harness/faults/fault.ts';
import {
  ignoresQuery,
  knowsOnly,
  knowsOnlyIdentifiers,
  takesBodyFieldAs,
  takesQueryAs,
} from '../../harness/faults/requests.ts';
import { type CommonContainer, useCommon } from '../common-containers.ts';
import { no, yes } from '../spellings.ts';
import { carriedBy, carriedUntil } from '../streams/carried.ts';
import { checkFraming } from '../streams/framing.ts';
import type { StreamSource, Way } from '../streams/source.ts';
import { checkUpgrade } from '../streams/upgrade.ts';
import { written } from './logged.ts';

const source: StreamSource = {
  endpoint: 'containers.logs',
  ways: ['upgraded', 'plain'],
  opening: '',
  fromLog: true,
  ask: async (context, way, tty = false) => {
    if (!tty) return openIn(await useCommon(context, written), way);
    const ended = { run: ['out', 'to a terminal'], state: 'exited', config: { Tty: true } } as const;
    return openIn(await makeContainer(context.engine, ended), way);
  },
  async open(context, { run, tty = false }, ways) {
    const container = await makeContainer(context.engine, {
      run: ['raw', ...run],
      state: 'exited',
      config: { Tty: tty },
    });
    const lives = await Promise.all(ways.map((way) => openIn(container, way)));
    return { lives, begin: async () => {} };
  },
};

function openIn(container: CommonContainer, way: Way): Promise<LiveExchange> {
  return container.openLogs({ stdout: true, stderr: true }, way !== 'plain');
}

checkUpgrade(source);
checkFraming(source);

check('containers.logs.unknown-answers-404', { faults: [answersStatus(200, 404)] }, async (context) => {
  const { engine } = context;
  await control((await useCommon(context, written)).logs({ stdout: true }), 200);
  const missing = engine.name('container');
  expect(await new Container(engine, missing, missing).logs({ stdout: true })).toHaveStatus(404);
});

check('containers.logs.id-or-name', { faults: [knowsOnlyIdentifiers()] }, async ({ engine, use }) => {
  const { id, name } = await use(written);
  for (const form of [id, name]) {
    expect(await new Container(engine, form, name).logs({ stdout: true })).toHaveStatus(200);
  }
});

/** The log of a container with a logging driver that has written one line. */
async function logWithDriver(engine: Engine, Type: string): Promise<Exchange> {
  const hostConfig = { LogConfig: { Type, Config: {} } };
  const container = await makeContainer(engine, { run: ['out', 'logged\\n'], state: 'exited', hostConfig });
  return container.logs({ stdout: true });
}

for (const driver of ['json-file', 'journald'] as const) {
  check(`containers.logs.driver-${driver}`, { faults: [answersBody(''), answersStatus(500)] }, async ({ engine }) => {
    const answer = await logWithDriver(engine, driver);
    expect(answer).toHaveStatus(200);
    expectValue('the log of stdout', carriedBy(answer, answer.answer.body).stdout, [answer]).toBe('logged\n');
  });
}

const loggedAnyway = on('POST /containers/create', takesBodyFieldAs('HostConfig.LogConfig.Type', 'json-file'));

check('containers.logs.other-drivers', { faults: [loggedAnyway] }, async ({ engine }) => {
  await control(logWithDriver(engine, 'json-file'), 200);
  const answer = await logWithDriver(engine, 'none');
  expectValue('what is answered for the driver none', answer.output, [answer]).toLack('logged\n');
});

/** A running container that writes once more when it gets SIGUSR1, and ends. */
function makeSignalled(engine: Engine): Promise<Container> {
  return makeContainer(engine, { run: ['catch', 'out', 'ready\\n', 'wait-signal'], state: 'running' });
}

/** The log goes on with what the container writes, and ends when it stops. */
async function expectFollowed(container: Container, ...spellings: readonly string[]): Promise<void> {
  const logs: LiveExchange[] = [];
  for (const follow of spellings) logs.push(await given(container.openLogs({ follow, stdout: true }), 200));
  for (const log of logs) await carriedUntil(log, 'stdout', 'ready\n');
  await given(container.kill({ signal: 'SIGUSR1' }), 204);
  for (const log of logs) {
    const { stdout } = carriedBy(log, await log.rest());
    expectValue('the log that was followed', stdout, [log]).toBe('ready\nsignal 10\n');
  }
}

/** The log ends while the container runs on. */
async function expectNotFollowed(container: Container, ...queries: readonly Query[]): Promise<void> {
  await container.hasWritten('ready');
  for (const query of queries) {
    const answer = await container.logs({ stdout: true, ...query });
    expect(answer).toHaveStatus(200);
    expectValue('the log', carriedBy(answer, answer.answer.body).stdout, [answer]).toBe('ready\n');
  }
}

check('containers.logs.follow-true', { faults: [ignoresQuery('follow')] }, async ({ engine }) => {
  await expectFollowed(await makeSignalled(engine), '1');
});

const alwaysFollows = takesQueryAs('follow', '1');

check('containers.logs.follow-default-false', { faults: [alwaysFollows] }, async ({ engine }) => {
  await expectNotFollowed(await makeSignalled(engine), {});
});

check('containers.logs.follow-spellings', { faults: [knowsOnly('follow', '1'), alwaysFollows] }, async ({ engine }) => {
  const container = await makeSignalled(engine);
  await expectNotFollowed(container, ...no.map((follow) => ({ follow })));
  await expectFollowed(container, ...yes);
});

check('containers.logs.no-streams', { faults: [] }, async (context) => {
  const answer = await (await useCommon(context, written)).logs({});
  observe(`answers ${answer.status}`, answer);
});

check('containers.logs.bad-tail', { faults: [] }, async (context) => {
  const answer = await (await useCommon(context, written)).logs({ stdout: true, tail: 'some' });
  observe(`answers ${answer.status}`, answer);
});

check('containers.logs.media-type-200', { faults: [] }, async (context) => {
  const answer = await given((await useCommon(context, written)).logs({ stdout: true }), 200);
  observe(answer.header('Content-Type') ?? 'no Content-Type', answer);
});
