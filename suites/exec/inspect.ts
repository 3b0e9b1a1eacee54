import { check, fixture } from '../../harness/check.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { Exec, makeExec } from '../../harness/engine/exec.ts';
import { control, given, settled } from '../../harness/engine/given.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersStatus, changesJson, dropsHeader, setsHeader } from '../../harness/faults/answers.ts';
import { since } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';
import { keysOf } from '../../specs/keys.ts';
import { atLeast } from '../../specs/versions.ts';
import { host } from '../support/common-containers.ts';
import { doneOnce } from '../support/done-once.ts';
import { checkFields, fieldRule, fieldRulesOf } from '../support/field-checks.ts';

const ended = fixture('the inspect answer of a command that has ended', async ({ engine, use }) =>
  runToEnd(await makeExec(engine, await use(host), { run: ['exit', '3'], config: { User: 'probe' } })),
);

/** Starts a command that ends by itself, and returns what inspect answers afterwards. */
async function runToEnd(exec: Exec): Promise<Exchange> {
  const live = await given(exec.start(), 101, 200);
  await settled(live.rest(), 'waiting for the end of the stream');
  return exec.hasEnded();
}

/** This field shows that a command has ended, so it cannot be judged by a check that waits for the end. */
const isRunning = fieldRule('exec.inspect.field.Running');
const inspected = doneOnce('the answer of inspect for a command that was not started', async ({ engine, use }) =>
  (await makeExec(engine, await use(host))).inspect(),
);
const waiting = fixture('the inspect answer of a command that was not started', (context) =>
  given(inspected(context), 200),
);

checkFields([isRunning], waiting);
checkFields(
  fieldRulesOf('exec.inspect.field.').filter((rule) => rule !== isRunning),
  ended,
);

check('exec.inspect.answers-200', { faults: [answersStatus(204, 200)] }, async (context) => {
  expect(await inspected(context)).toHaveStatus(200);
});

check('exec.inspect.unknown-answers-404', { faults: [answersStatus(200, 404)] }, async (context) => {
  await control(inspected(context), 200);
  expect(await new Exec(context.engine, '0'.repeat(64)).inspect()).toHaveStatus(404);
});

check('exec.inspect.exec-id', { faults: [setsField('ID', 'another')] }, async ({ engine, use }) => {
  const execs = [await makeExec(engine, await use(host)), await makeExec(engine, await use(host))];
  for (const exec of execs) {
    const inspect = await exec.inspect();
    expect(inspect).toHaveStatus(200);
    expect(inspect).field('ID').toBe(exec.id);
  }
});

check('exec.inspect.container-id', { faults: [setsField('ContainerID', 'another')] }, async ({ engine, use }) => {
  // The container is named in the request, so that a daemon cannot repeat what it was asked with.
  const { id, name } = await use(host);
  const exec = await makeExec(engine, { id: name });
  expect(await given(exec.inspect(), 200))
    .field('ContainerID')
    .toBe(id);
});

/** What create asks for; each member is once true and once false. */
const asked = [
  { AttachStdin: true, AttachStdout: true, AttachStderr: false, Tty: false, Privileged: false },
  { AttachStdin: false, AttachStdout: false, AttachStderr: true, Tty: true, Privileged: true },
] as const;

/** Users who ask in turn. */
const askedUsers = ['probe', '1000:2000'] as const;

/** The members of inspect that tell what create asked for. */
const told = {
  'ProcessConfig.tty': 'Tty',
  'ProcessConfig.privileged': 'Privileged',
  OpenStdin: 'AttachStdin',
  OpenStdout: 'AttachStdout',
  OpenStderr: 'AttachStderr',
} as const;

const asCreatedFaults = [
  ...keysOf(told).flatMap((path) => {
    const faults = [setsField(path, true), setsField(path, false)];
    return path === 'ProcessConfig.privileged' ? faults.map((fault) => since('1.21', fault)) : faults;
  }),
  setsField('ProcessConfig.entrypoint', '/another'),
  setsField('ProcessConfig.arguments', []),
  setsField('ProcessConfig.user', 'probe'),
];

check(
  'exec.inspect.as-created',
  { faults: asCreatedFaults, looksAt: ['privileged'] },
  async ({ engine, api, target, use }) => {
    for (const [place, wanted] of asked.entries()) {
      const run = ['out', `an argument ${place}`];
      const canAsk = atLeast(api, '1.21') && target.lacks.privileged === undefined;
      const { Privileged, ...others } = wanted;
      const User = askedUsers[place] ?? '';
      const config = { ...others, User, ...(canAsk && { Privileged }) };
      const inspect = await given((await makeExec(engine, await use(host), { run, config })).inspect(), 200);
      const judge = (path: string, value: JsonValue) => {
        // Other rules judge whether it is there.
        const [shown] = valuesAt(inspect.json, path);
        if (shown !== undefined) expectValue(path, shown, [inspect], { level: 'should' }).toBe(value);
      };
      judge('ProcessConfig.entrypoint', '/probe');
      judge('ProcessConfig.arguments', run);
      judge('ProcessConfig.user', User);
      for (const path of keysOf(told)) if (told[path] in config) judge(path, wanted[told[path]]);
    }
  },
);

check(
  'exec.inspect.plain-text',
  { faults: [dropsHeader('Content-Type'), setsHeader('Content-Type', 'application/json')] },
  async ({ use }) => {
    expect(await use(ended)).toHaveMediaType('plain/text', 'text/plain');
  },
);

check(
  'exec.inspect.media-type',
  { faults: [dropsHeader('Content-Type'), setsHeader('Content-Type', 'text/plain')] },
  async ({ use }) => {
    expect(await use(ended)).toHaveMediaType('application/json');
  },
);

check(
  'exec.inspect.running-state',
  { faults: [true, false].map((running) => setsField('Running', running)) },
  async ({ engine, use }) => {
    const run = ['out', 'ready\\n', 'echo-line'];
    const exec = await makeExec(engine, await use(host), { run, config: { AttachStdin: true } });
    const live = await given(exec.start(), 101, 200);
    // Only Detach promises that the command has been started by the time of the answer.
    await settled(live.receivedText('ready'), 'waiting for the command');
    expect(await given(exec.inspect(), 200))
      .field('Running')
      .toBe(true);
    live.write('\n');
    await live.rest();
    // The stream may end a moment before the daemon knows that the command has ended.
    expect(await exec.inspectUntilEnded())
      .field('Running')
      .toBe(false);
    const detached = await makeExec(engine, await use(host), { run: ['exit', '0'] });
    await given(detached.startDetached(), 200);
    // Nobody waits for this command, which has just begun.
    expect(await detached.inspectUntilEnded(5_000, { firstPauseMs: 50 }))
      .field('Running')
      .toBe(false);
  },
);

/** Takes exit codes for numbers of eight bits with a sign. */
const signsCodes = changesJson('answers an ExitCode above 127 as a negative number', (json) =>
  isObject(json) && Number(json.ExitCode) > 127 ? { ...json, ExitCode: Number(json.ExitCode) - 256 } : json,
);

check(
  'exec.inspect.exit-code',
  { faults: [setsField('ExitCode', 0), setsField('ExitCode', null), signsCodes] },
  async ({ engine, use }) => {
    expect(await use(ended))
      .field('ExitCode')
      .toBe(3);
    expect(await runToEnd(await makeExec(engine, await use(host), { run: ['exit', '200'] })))
      .field('ExitCode')
      .toBe(200);
  },
);

check('exec.inspect.exit-code-before-end', { faults: [setsField('ExitCode', null)] }, async ({ engine, use }) => {
  const exec = await makeExec(engine, await use(host));
  await given(exec.startDetached(), 200);
  expect(await given(exec.inspect(), 200))
    .field('ExitCode')
    .toSatisfy('an integer', Number.isInteger);
});
