import { emit } from '../containers/lifecycle.ts';
import { isSet, toList } from '../containers/settings/config.ts';
import { parseDetachKeys } from '../containers/streams/detach-keys.ts';
import { conflict } from '../errors.ts';
import type { Call } from '../http/call.ts';
import { Fields } from '../http/fields.ts';
import { type ExecConfig, ExecInstance } from './instance.ts';

/** POST /containers/{id}/exec (Document 3, Exec create). */
export async function createExec(call: Call): Promise<void> {
  const { engine } = call;
  const container = engine.containers.get(call.param('id'));
  const config = readExecConfig(new Fields(await call.json(), ''), call);
  if (!container.process) throw conflict(`container ${container.id} is not running`);
  if (call.since('1.21') && container.state.paused) throw conflict(`container ${container.id} is paused`);
  const instance = new ExecInstance(container, config);
  engine.execs.add(instance);
  emit(engine, container, 'exec_create');
  call.answer(201, { Id: instance.id, Warnings: [] });
}

/** Reads the body of exec create. Throws 400. */
function readExecConfig(body: Fields, call: Call): ExecConfig {
  const command = body.words('Cmd');
  if (!isSet(command)) throw body.refuse('Cmd', 'no command is given');
  const detachKeys = call.since('1.23') ? body.string('DetachKeys') : '';
  if (detachKeys) parseDetachKeys(detachKeys);
  return {
    attachStdin: body.boolean('AttachStdin'),
    attachStdout: body.boolean('AttachStdout'),
    attachStderr: body.boolean('AttachStderr'),
    tty: body.boolean('Tty'),
    command: toList(command),
    user: body.string('User'),
    privileged: call.since('1.21') && body.boolean('Privileged'),
    detachKeys,
  };
}
