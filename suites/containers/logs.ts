import { type CheckContext, check } from '../../harness/check.ts';
import { Container } from '../../harness/engine/container.ts';
import { control, given } from '../../harness/engine/given.ts';
import type { LiveExchange } from '../../harness/engine/live-exchange.ts';
import { asItIs } from '../../harness/engine/output.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { answersBody, answersStatus } from '../../harness/faults/answers.ts';
import { on } from '../../harness/faults/fault.ts';
import { knowsOnlyIdentifiers, takesBodyFieldAs } from '../../harness/faults/requests.ts';
import { type Common, type CommonContainer, commonContainer, useCommon } from '../support/common-containers.ts';
import { carriedBy } from '../support/streams/carried-text.ts';
import { checkFraming } from '../support/streams/framing-checks.ts';
import type { StreamSource, Way, Writer } from '../support/streams/stream-source.ts';
import { checkUpgrade } from '../support/streams/upgrade-checks.ts';
import { logOfStdout, written } from './support/logged-container.ts';

const ended = new Map<string, Common>();

/** A container that has written and ended, whose log every rule reads separately in each version. */
function endedWriter({ run, tty = false }: Writer): Common {
  const key = JSON.stringify([run, tty]);
  const known =
    ended.get(key) ??
    commonContainer(
      `a container${tty ? ' with a terminal' : ''} that has run ${run.join(' ').slice(0, 40)}`,
      { run, state: 'exited', config: { Tty: tty } },
      true,
    );
  ended.set(key, known);
  return known;
}

const source: StreamSource = {
  endpoint: 'containers.logs',
  ways: ['upgraded', 'plain'],
  opening: '',
  fromLog: true,
  ask: async (context, way, tty = false) => {
    const writer = tty ? endedWriter({ run: ['out', 'to a terminal'], tty }) : written;
    return openIn(await useCommon(context, writer), way);
  },
  async open(context, writer, ways) {
    const container = await useCommon(context, endedWriter({ ...writer, run: ['raw', ...writer.run] }));
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
  await control(logOfStdout(context), 200);
  const missing = engine.unusedName('container');
  expect(await new Container(engine, missing, missing).logs({ stdout: true })).toHaveStatus(404);
});

check('containers.logs.id-or-name', { faults: [knowsOnlyIdentifiers()] }, async (context) => {
  const { engine, use } = context;
  expect(await logOfStdout(context)).toHaveStatus(200);
  const { name } = await use(written);
  expect(await new Container(engine, name, name).logs({ stdout: true })).toHaveStatus(200);
});

/** Containers with a logging driver that have written one line. */
const logging = {
  'json-file': loggingWith('json-file'),
  journald: loggingWith('journald'),
  none: loggingWith('none'),
};

function loggingWith(Type: string): Common {
  return commonContainer(`a container that has written to the log of the driver ${Type}`, {
    run: ['out', 'logged\\n'],
    state: 'exited',
    hostConfig: { LogConfig: { Type, Config: {} } },
  });
}

async function logWithDriver(context: Pick<CheckContext, 'engine' | 'use'>, driver: keyof typeof logging) {
  return (await useCommon(context, logging[driver])).logs({ stdout: true });
}

for (const driver of ['json-file', 'journald'] as const) {
  check(`containers.logs.driver-${driver}`, { faults: [answersBody(''), answersStatus(500)] }, async (context) => {
    const answer = await logWithDriver(context, driver);
    expect(answer).toHaveStatus(200);
    expectValue('the log of stdout', carriedBy(answer, answer.answer.body).stdout, [answer]).toBe('logged\n');
  });
}

const loggedAnyway = on('POST /containers/create', takesBodyFieldAs('HostConfig.LogConfig.Type', 'json-file'));

check('containers.logs.other-drivers', { faults: [loggedAnyway] }, async (context) => {
  await control(logWithDriver(context, 'json-file'), 200);
  const answer = await logWithDriver(context, 'none');
  expectValue('what is answered for the driver none', answer.output, [answer]).toLack('logged\n');
});

check('containers.logs.no-streams', { faults: [] }, async (context) => {
  const answer = await (await useCommon(context, written)).logs({}, asItIs);
  observe(`answers ${answer.status}`, answer);
});

check('containers.logs.bad-tail', { faults: [] }, async (context) => {
  const answer = await (await useCommon(context, written)).logs({ stdout: true, tail: 'some' });
  observe(`answers ${answer.status}`, answer);
});

check('containers.logs.media-type-200', { faults: [] }, async (context) => {
  const answer = await given(logOfStdout(context), 200);
  observe(answer.header('Content-Type') ?? 'no Content-Type', answer);
});
