import { type CheckContext, check } from '../../harness/check.ts';
import { createExec, execBody, execOf } from '../../harness/engine/exec.ts';
import { given, settled } from '../../harness/engine/given.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { ignoresBodyField, takesBodyFieldAs } from '../../harness/faults/requests.ts';
import { holdsText } from '../../harness/streams/text.ts';
import type { RuleId } from '../../specs/catalogue.ts';
import { host } from '../support/common-containers.ts';
import { expectText } from '../support/streams/expect-text.ts';
import { echoed, type Ran, ranOnce, withTerminal } from './support/exec-output.ts';

const writesBoth = ['out', 'to stdout\\n', 'err', 'to stderr\\n'];
const refuses = answersStatus(400, 201);

/** What a command writes to both outputs, with those attached. */
const written = new Map(
  [
    { AttachStdout: true, AttachStderr: true },
    { AttachStdout: false, AttachStderr: true },
    { AttachStdout: true, AttachStderr: false },
  ].map((attached) => [keyOf(attached), ranOnce(writesBoth, attached)]),
);

function keyOf({ AttachStdout, AttachStderr }: Readonly<Record<string, boolean>>): string {
  return `${AttachStdout} ${AttachStderr}`;
}

/** @param attached which outputs are attached */
function writtenWith(context: CheckContext, attached: Readonly<Record<string, boolean>>): Promise<Ran> {
  const once = written.get(keyOf(attached));
  if (!once) throw new Error('no command is declared with these outputs');
  return once(context);
}

for (const [rule, output, field, other] of [
  ['attach-stdout', 'stdout', 'AttachStdout', 'AttachStderr'],
  ['attach-stderr', 'stderr', 'AttachStderr', 'AttachStdout'],
] as const) {
  const ignores = ignoresBodyField(field);

  check(`exec.create.${rule}`, { faults: [ignores] }, async (context) => {
    const ran = await writtenWith(context, { [field]: true, [other]: true });
    expectValue(`what came of ${output}`, ran[output], [ran.evidence]).toBe(`to ${output}\n`);
  });

  check(`exec.create.body.${field}`, { faults: [ignores, takesBodyFieldAs(field, true), refuses] }, async (context) => {
    for (const value of [true, false]) {
      const ran = await writtenWith(context, { [field]: value, [other]: true });
      const text = value ? `to ${output}\n` : '';
      expectValue(`what came of ${output} with ${field} ${value}`, ran[output], [ran.evidence]).toBe(text);
    }
  });
}

/** The command receives what the client sends. */
async function expectTaken(context: CheckContext): Promise<void> {
  const { stdout, created, live } = await echoed(context);
  expectValue('what the command wrote back', stdout, [created, live]).toBe('a line\n');
}

check('exec.create.attach-stdin', { faults: [ignoresBodyField('AttachStdin')] }, expectTaken);

const alwaysTaken = takesBodyFieldAs('AttachStdin', true);

check(
  'exec.create.body.AttachStdin',
  { faults: [ignoresBodyField('AttachStdin'), alwaysTaken, refuses] },
  async (context) => {
    await expectTaken(context);
    const body = execBody({ run: ['out', 'ready\\n', 'echo-line'], config: { AttachStdin: false } });
    const created = await createExec(context.engine, (await context.use(host)).id, body);
    expect(created).toHaveStatus(201);
    const live = await given(execOf(context.engine, created).start(), 101, 200);
    await settled(live.receivedText('ready'), 'waiting for the command');
    live.write('a line\n');
    // Without its stdin the command reads the end of a file, or nothing comes to it.
    const isTaken = await live.satisfiesWithin(toBeTakenMs, (bytes) => holdsText(bytes, 'a line'));
    expectValue('whether the command gets input with AttachStdin false', isTaken, [created, live]).toBe(false);
  },
);

/** In this time a command would long have written back what it gets. */
const toBeTakenMs = 1_000;

/** With Tty all three streams of the command are terminals, and the connection is a raw stream. */
async function expectTerminal(context: CheckContext): Promise<void> {
  const { live, text } = await withTerminal(context);
  expectValue('the stream', text, [live]).toBe('tty=111\n');
}

check('exec.create.tty', { faults: [ignoresBodyField('Tty')] }, expectTerminal);

check(
  'exec.create.body.Tty',
  { faults: [ignoresBodyField('Tty'), takesBodyFieldAs('Tty', true), refuses] },
  async (context) => {
    await expectTerminal(context);
    const { engine, use } = context;
    const created = await createExec(engine, (await use(host)).id, execBody({ run: ['tty'], config: { Tty: false } }));
    expect(created).toHaveStatus(201);
    const live = await given(execOf(engine, created).start(), 101, 200);
    expectText('the stream with Tty false', await live.rest(), 'tty=000\n', live);
  },
);

check('exec.create.cmd-string', { faults: [refuses, takesBodyFieldAs('Cmd', [])] }, async ({ engine, use }) => {
  // Without arguments the probe waits forever.
  const created = await createExec(engine, (await use(host)).id, { Cmd: '/probe' });
  expect(created).toHaveStatus(201);
  const exec = execOf(engine, created);
  const started = await exec.startDetached();
  expect(started).toHaveStatus(200);
  expect(await given(exec.inspect(), 200))
    .field('Running')
    .toBe(true);
});

const ranWithArguments = ranOnce(['out', 'one argument', 'args'], {});

for (const id of ['exec.create.cmd-list', 'exec.create.body.Cmd'] as const) {
  check(id, { faults: [takesBodyFieldAs('Cmd', ['/probe', 'out', 'another']), refuses] }, async (context) => {
    const { stdout, evidence } = await ranWithArguments(context);
    const wanted = 'one argument/probe\nout\none argument\nargs\n';
    expectValue('the arguments of the command', stdout, [evidence]).toBe(wanted);
  });
}

const asRoot = takesBodyFieldAs('User', 'root');

/** The command runs as a user, and as a group where one is named. */
function checkUser(ids: readonly RuleId[], User: string, group?: number): void {
  const identity = ranOnce(['id'], { User });
  for (const id of ids) {
    check(id, { faults: [ignoresBodyField('User'), asRoot] }, async (context) => {
      const { stdout, evidence } = await identity(context);
      const wanted = new RegExp(group === undefined ? '^uid=1000 ' : `^uid=1000 gid=${group} `);
      expectValue(`the identity of the command with User ${User}`, stdout, [evidence]).toMatch(wanted);
    });
  }
}

checkUser(['exec.create.user-name', 'exec.create.body.User'], 'probe');
checkUser(['exec.create.user-group'], 'probe:extra', 2000);
checkUser(['exec.create.uid'], '1000');
checkUser(['exec.create.uid-gid'], '1000:2000', 2000);

const status = ['read', '/proc/self/status'];
const statusOf = { plain: ranOnce(status, { Privileged: false }), privileged: ranOnce(status, { Privileged: true }) };

/** The effective capabilities of a command, one bit each. */
async function capabilities(context: CheckContext, command: keyof typeof statusOf) {
  const ran = await statusOf[command](context);
  const [, hex = ''] = /^CapEff:\s*([0-9a-f]+)$/m.exec(ran.stdout) ?? [];
  return { bits: BigInt(`0x${hex || '0'}`), evidence: ran.evidence };
}

for (const id of ['exec.create.privileged', 'exec.create.body.Privileged'] as const) {
  check(
    id,
    {
      faults: [ignoresBodyField('Privileged'), takesBodyFieldAs('Privileged', true), refuses],
      notOn: ({ lacks }) => lacks.privileged,
    },
    async (context) => {
      const plain = await capabilities(context, 'plain');
      const more = await capabilities(context, 'privileged');
      const gained = (more.bits & ~plain.bits) > 0n && (plain.bits & ~more.bits) === 0n;
      expectValue('whether Privileged adds capabilities and takes none away', gained, [
        plain.evidence,
        more.evidence,
      ]).toBe(true);
    },
  );
}
