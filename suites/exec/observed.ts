import { check } from '../../harness/check.ts';
import { createExec, execBody, makeExec } from '../../harness/engine/exec.ts';
import { observe } from '../../harness/expect/expect.ts';
import { host, paused, useCommon } from '../support/common-containers.ts';

check('exec.create.paused', { faults: [] }, async ({ engine, use }) => {
  const { id } = await use(paused);
  const answer = await createExec(engine, id, execBody({ run: ['exit', '0'] }));
  observe(`answers ${answer.status}`, answer);
});

/** How long a daemon may take to answer that a command does not exist. */
const soonMs = 10_000;

check('exec.start.missing-command', { faults: [] }, async (context) => {
  const container = await useCommon(context, host);
  const exec = await makeExec(context.engine, container, { config: { Cmd: ['/ec-no-such-command'] } });
  const live = await exec.start();
  const isOver = await live.endsWithin(soonMs);
  const text = live.received.length > 0 ? 'a text' : 'nothing';
  observe(`answers ${live.status}, sends ${text} and ${isOver ? 'ends' : 'goes on'}`, live);
});
