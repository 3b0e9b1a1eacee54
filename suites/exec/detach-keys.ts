import { type CheckContext, check } from '../../harness/check.ts';
import { createExec, execBody, execOf, readyTerminal } from '../../harness/engine/exec.ts';
import { control } from '../../harness/engine/given.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { ignoresBodyField } from '../../harness/faults/requests.ts';
import { noKeys } from '../containers/support/malformed-keys.ts';
import { host } from '../support/common-containers.ts';

/** Starts a command with a terminal, which does not end with the session. */
async function session({ engine, use }: CheckContext, DetachKeys: string) {
  const config = { Tty: true, AttachStdin: true, DetachKeys };
  const body = execBody({ run: ['raw', 'out', 'ready\\n', 'forever'], config });
  const { id } = await use(host);
  return readyTerminal(async () => {
    const created = await createExec(engine, id, body);
    expect(created).toHaveStatus(201);
    // An engine may check the keys only when the command is started.
    const live = await execOf(engine, created).start({ tty: true });
    expect(live).toHaveStatus(101, 200);
    return live;
  });
}

/** The keys end the session. Whether the command outlives its terminal is not stated. */
async function expectDetach(context: CheckContext, keys: string, sent: string): Promise<void> {
  const live = await session(context, keys);
  live.write(Buffer.from(sent, 'latin1'));
  await live.rest();
  expectValue(`whether the session has ended with ${keys}`, live.ended, [live]).toBe(true);
}

const faults = [ignoresBodyField('DetachKeys'), answersStatus(400, 201)];

for (const id of ['exec.create.detach-keys', 'exec.create.body.DetachKeys'] as const) {
  check(id, { faults, slowToFail: true }, (context) => expectDetach(context, 'ctrl-x', '\x18'));
}

check('exec.create.detach-keys-letter', { faults, slowToFail: true }, async (context) => {
  for (const letter of 'amzAMZ') await expectDetach(context, letter, letter);
});

check('exec.create.detach-keys-ctrl', { faults, slowToFail: true }, async (context) => {
  for (const value of 'amz@^[_') {
    const control = String.fromCharCode(value.toUpperCase().charCodeAt(0) & 0x1f);
    await expectDetach(context, `ctrl-${value}`, control);
  }
  // Which byte a terminal sends for ctrl and a comma is not stated, so the key only has to be accepted.
  await session(context, 'ctrl-,');
});

check('exec.create.detach-keys-refused', { faults: [ignoresBodyField('DetachKeys')] }, async (context) => {
  const { engine, use } = context;
  const { id } = await use(host);
  const createWith = (DetachKeys: string) =>
    createExec(engine, id, execBody({ run: ['exit', '0'], config: { Tty: true, AttachStdin: true, DetachKeys } }));
  for (const keys of noKeys) {
    const created = await createWith(keys);
    if (created.status !== 201) expect(created).toBeRefused();
    else expect(await execOf(engine, created).start({ tty: true })).toBeRefused();
  }
  const created = await control(createWith('ctrl-p'), 201);
  await control(execOf(engine, created).start({ tty: true }), 101, 200);
});
