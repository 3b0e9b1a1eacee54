import { check } from '../../../harness/check.ts';
import { makeContainer } from '../../../harness/engine/containers.ts';
import { makeExec } from '../../../harness/engine/exec.ts';
import { control, settled } from '../../../harness/engine/given.ts';
import { expectValue } from '../../../harness/expect/expect.ts';
import { answersStatus } from '../../../harness/faults/answers.ts';
import { alike, on } from '../../../harness/faults/fault.ts';
import { changesFrames } from '../../../harness/faults/streams.ts';
import { outputOfExec } from '../../exec/support/exec-output.ts';
import { fileMember, putArchive } from '../support/archives.ts';

const file = fileMember('ec-pseudo', 'x');

/** Unpacks there, so that a process in the container sees the file. */
const unpacks = alike(
  'unpacks into directories of the kernel',
  answersStatus(200),
  on(
    'POST /exec/{id}/start',
    changesFrames('shows the file', (frames) =>
      frames.map(({ stream, payload }) => ({ stream, payload: Buffer.from(payload.toString().replace('no', 'yes')) })),
    ),
  ),
);

check('containers.archive-put.pseudo-paths', { faults: [unpacks] }, async ({ engine }) => {
  const container = await makeContainer(engine, { state: 'running' });
  await control(putArchive(engine, container.id, { path: '/data' }, [file]), 200);
  const directories = ['/proc', '/sys', '/dev'];
  for (const path of directories) {
    const answer = await settled(putArchive(engine, container.id, { path }, [file]), 'an upload');
    // A refusal copies nothing. An accepted file may lie below what the kernel mounts there, hidden from every process.
    const run = ['exists', `${path}/${file.name}`];
    const { stdout, evidence } = await outputOfExec(await makeExec(engine, container, { run }));
    expectValue(`whether a process sees what was sent into ${path}`, stdout, [answer, evidence]).toBe('no\n');
  }
});
