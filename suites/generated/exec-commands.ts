import fc from 'fast-check';
import { check } from '../../harness/check.ts';
import { createExec, execBody, execOf, readyTerminal } from '../../harness/engine/exec.ts';
import { given } from '../../harness/engine/given.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { on } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { takesBodyFieldAs } from '../../harness/faults/requests.ts';
import { settingsOf, type Values } from '../../harness/generators/settings.ts';
import { lines } from '../../harness/generators/texts.ts';
import { forAll } from '../../harness/property/for-all.ts';
import { detachKeys } from '../../specs/parameters.ts';
import { execCreateBody } from '../../specs/resources/exec.ts';
import { type ApiVersion, atLeast } from '../../specs/versions.ts';
import { outputOfExec } from '../exec/support/exec-output.ts';
import { host } from '../support/common-containers.ts';

/** Users of the probe image, with the identity of their processes. */
const users: Readonly<Record<string, RegExp>> = {
  probe: /^uid=1000 /,
  root: /^uid=0 /,
  'probe:extra': /^uid=1000 gid=2000 /,
  '1000': /^uid=1000 /,
  '1000:2000': /^uid=1000 gid=2000 /,
  '7:8': /^uid=7 gid=8 /,
};

const bodies: Values = {
  AttachStdin: 'nothing is sent',
  AttachStdout: 'what the command writes is read',
  AttachStderr: 'what the command writes is read',
  Tty: 'a terminal changes what is written',
  Cmd: 'it is the probe',
  User: fc.constantFrom(...Object.keys(users)),
  Privileged: 'whether it can be had depends on the host',
  DetachKeys: 'a session of its own judges them',
};

const keys = fc.stringMatching(new RegExp(detachKeys.schema.pattern));

const values = (api: ApiVersion) =>
  fc.record({
    args: fc.array(lines, { maxLength: 5 }),
    body: settingsOf(execCreateBody, api, bodies),
    // Which byte a terminal sends for ctrl and a comma is not stated.
    keys: keys.filter((one) => one !== 'ctrl-,'),
  });

/** The byte that a terminal sends for keys in the contract's notation. */
function byteOf(written: string): number {
  const [, control] = /^ctrl-(.)$/.exec(written) ?? [];
  return control === undefined ? written.charCodeAt(0) : control.toUpperCase().charCodeAt(0) & 0x1f;
}

const creates = 'POST /containers/{id}/exec';

check(
  'generated.inputs.exec-commands',
  {
    faults: [
      on(creates, answersStatus(400, 201)),
      on(creates, takesBodyFieldAs('Cmd', ['/probe', 'args'])),
      on('GET /exec/{id}/json', setsField('Running', true)),
    ],
  },
  (context) =>
    forAll(context, values(context.api), { runs: 3 }, async ({ args, body, keys: written }, trial) => {
      const { engine } = trial;
      const { id } = await context.use(host);
      // The probe ignores what follows `exit`.
      const run = ['id', 'args', 'exit', '3', ...args];
      trial.step(
        `sets up a command with the arguments ${JSON.stringify(args)} as ${body.User ?? 'the user of the container'}`,
      );
      const created = await createExec(engine, id, execBody({ run, config: body }));
      await trial.decides('exec.create.answers-201', () => expect(created).toHaveStatus(201));
      if (created.status !== 201) return;
      const exec = execOf(engine, created);
      const { stdout, evidence } = await outputOfExec(exec);
      const [identity = '', ...rest] = stdout.split('\n');
      await trial.decides('exec.create.body.Cmd', () =>
        expectValue('the arguments of the command', rest, [created, evidence]).toBe(['/probe', ...run, '']),
      );
      const wanted = users[String(body.User ?? '')];
      if (wanted) {
        await trial.decides('exec.create.body.User', () =>
          expectValue('the identity of the command', identity, [created, evidence]).toMatch(wanted),
        );
      }
      const inspect = await exec.inspectUntilEnded();
      await trial.decides('exec.inspect.running-state', () => expect(inspect).field('Running').toBe(false));
      await trial.decides('exec.inspect.exit-code', () => expect(inspect).field('ExitCode').toBe(3));
      const rule = written.length === 1 ? 'exec.create.detach-keys-letter' : 'exec.create.detach-keys-ctrl';
      if (!atLeast(engine.api, '1.23') || !trial.holds(rule)) return;
      trial.step(`leaves a session with ${written}`);
      const config = { Tty: true, AttachStdin: true, DetachKeys: written };
      const forever = execBody({ run: ['raw', 'out', 'ready\\n', 'forever'], config });
      const live = await readyTerminal(async () => {
        const second = await createExec(engine, id, forever);
        await trial.decides(rule, () => expect(second).toHaveStatus(201));
        return given(execOf(engine, second).start({ tty: true }), 101, 200);
      });
      await trial.decides(rule, async () => {
        live.write(Buffer.from([byteOf(written)]));
        await live.rest();
        expectValue(`whether the session has ended with ${written}`, live.ended, [live]).toBe(true);
      });
    }),
);
