import { type CheckContext, check } from '../../harness/check.ts';
import { createExec, execBody, execOf } from '../../harness/engine/exec.ts';
import { given } from '../../harness/engine/given.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { ignoresBodyField, takesBodyFieldAs } from '../../harness/faults/requests.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import type { RuleId } from '../../specs/catalogue.ts';
import { host } from '../support/common-containers.ts';
import { carriedUntil } from '../support/streams/carried-text.ts';
import { expectText } from '../support/streams/expect-text.ts';
import { ranWith } from './support/exec-output.ts';

const writesBoth = ['out', 'to stdout\\n', 'err', 'to stderr\\n'];
const refuses = answersStatus(400, 201);

for (const [rule, output, field, other] of [
  ['attach-stdout', 'stdout', 'AttachStdout', 'AttachStderr'],
  ['attach-stderr', 'stderr', 'AttachStderr', 'AttachStdout'],
] as const) {
  const ignores = ignoresBodyField(field);

  check(`exec.create.${rule}`, { faults: [ignores] }, async ({ engine, use }) => {
    const ran = await ranWith(engine, await use(host), writesBoth, { [field]: true, [other]: true });
    expectValue(`what came of ${output}`, ran[output], [ran.evidence]).toBe(`to ${output}\n`);
  });

  check(
    `exec.create.body.${field}`,
    { faults: [ignores, takesBodyFieldAs(field, true), refuses] },
    async ({ engine, use }) => {
      for (const value of [true, false]) {
        const ran = await ranWith(engine, await use(host), writesBoth, { [field]: value, [other]: true });
        const text = value ? `to ${output}\n` : '';
        expectValue(`what came of ${output} with ${field} ${value}`, ran[output], [ran.evidence]).toBe(text);
      }
    },
  );
}

/** The command receives what the client sends. */
async function expectTaken({ engine, use }: CheckContext): Promise<void> {
  const body = execBody({ run: ['echo-line'], config: { AttachStdin: true } });
  const created = await createExec(engine, (await use(host)).id, body);
  expect(created).toHaveStatus(201);
  const live = await given(execOf(engine, created).start(), 101, 200);
  live.write('a line\n');
  const { stdout } = await carriedUntil(live, 'stdout', 'a line\n');
  expectValue('what the command wrote back', stdout, [created, live]).toBe('a line\n');
}

check('exec.create.attach-stdin', { faults: [ignoresBodyField('AttachStdin')] }, expectTaken);

check('exec.create.body.AttachStdin', { faults: [ignoresBodyField('AttachStdin'), refuses] }, async (context) => {
  await expectTaken(context);
  const { stdout, evidence } = await ranWith(context.engine, await context.use(host), ['out', 'ran'], {
    AttachStdin: false,
  });
  expectValue('what came of stdout with AttachStdin false', stdout, [evidence]).toBe('ran');
});

/** With Tty all three streams of the command are terminals, and the connection is a raw stream. */
async function expectTerminal({ engine, use }: CheckContext): Promise<void> {
  const body = execBody({ run: ['raw', 'tty'], config: { Tty: true } });
  const created = await createExec(engine, (await use(host)).id, body);
  expect(created).toHaveStatus(201);
  const live = await given(execOf(engine, created).start({ tty: true }), 101, 200);
  const stream = (await live.rest()).toString('latin1');
  expectValue('the stream', stream, [live]).toBe('tty=111\n');
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

for (const id of ['exec.create.cmd-list', 'exec.create.body.Cmd'] as const) {
  check(id, { faults: [takesBodyFieldAs('Cmd', ['/probe', 'out', 'another']), refuses] }, async ({ engine, use }) => {
    const { stdout, evidence } = await ranWith(engine, await use(host), ['out', 'one argument', 'args'], {});
    const wanted = 'one argument/probe\nout\none argument\nargs\n';
    expectValue('the arguments of the command', stdout, [evidence]).toBe(wanted);
  });
}

const asRoot = takesBodyFieldAs('User', 'root');

/** The command runs as a user, and as a group where one is named. */
function checkUser(id: RuleId, User: string, group?: number): void {
  check(id, { faults: [ignoresBodyField('User'), asRoot] }, async ({ engine, use }) => {
    const { stdout, evidence } = await ranWith(engine, await use(host), ['id'], { User });
    const wanted = new RegExp(group === undefined ? '^uid=1000 ' : `^uid=1000 gid=${group} `);
    expectValue(`the identity of the command with User ${User}`, stdout, [evidence]).toMatch(wanted);
  });
}

checkUser('exec.create.user-name', 'probe');
checkUser('exec.create.user-group', 'probe:extra', 2000);
checkUser('exec.create.uid', '1000');
checkUser('exec.create.uid-gid', '1000:2000', 2000);
checkUser('exec.create.body.User', 'probe');

/** The effective capabilities of a command, one bit each. */
async function capabilities({ engine, use }: CheckContext, config: Readonly<Record<string, JsonValue>>) {
  const ran = await ranWith(engine, await use(host), ['read', '/proc/self/status'], config);
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
      const plain = await capabilities(context, { Privileged: false });
      const more = await capabilities(context, { Privileged: true });
      const gained = (more.bits & ~plain.bits) > 0n && (plain.bits & ~more.bits) === 0n;
      expectValue('whether Privileged adds capabilities and takes none away', gained, [
        plain.evidence,
        more.evidence,
      ]).toBe(true);
    },
  );
}
