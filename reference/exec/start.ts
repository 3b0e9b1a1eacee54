import { emit } from '../containers/lifecycle.ts';
import { dropInput, passInput } from '../containers/streams/client-input.ts';
import { defaultDetachKeys, parseDetachKeys } from '../containers/streams/detach-keys.ts';
import { conflict, EngineError } from '../errors.ts';
import type { Call } from '../http/call.ts';
import type { Duct } from '../http/duct.ts';
import { Fields } from '../http/fields.ts';
import { runProbe } from '../process/probe.ts';
import type { Process } from '../process/process.ts';
import type { ExecInstance } from './instance.ts';
import { newExecProcess } from './process.ts';

/** POST /exec/{id}/start (Document 3, Exec start; Document 2, Stream framing). */
export async function startExec(call: Call): Promise<void> {
  const { engine } = call;
  const instance = engine.execs.get(call.param('id'));
  const { container, config } = instance;
  const body = new Fields((await call.json()) ?? {}, '');
  const detach = body.boolean('Detach');
  const tty = body.boolean('Tty');
  if (call.since('1.21') && container.state.paused) throw conflict(`container ${container.id} is paused`);
  if (instance.process || instance.failure !== undefined)
    throw conflict(`exec ${instance.id} has been started already`);
  let process: Process;
  try {
    process = newExecProcess(engine, instance);
  } catch (error) {
    if (detach || instance.failure === undefined || !(error instanceof EngineError)) throw error;
    tellFailure(instance, call, error.message);
    return;
  }
  instance.ttyAtStart = tty;
  if (detach) instance.stdin.end();
  else {
    const duct = call.hijack({ input: config.attachStdin, framed: !config.tty });
    attach(instance, duct);
    void process.exited.then(() => duct.end());
  }
  emit(engine, container, 'exec_start');
  void process.run(runProbe);
  if (detach) call.answerEmpty(200, { 'Content-Type': call.words['application/vnd.engine.raw-stream'] });
}

/** Reports in the stream why the command cannot be run; its exit code is kept for inspect. */
function tellFailure({ config, hub }: ExecInstance, call: Call, message: string): void {
  const duct = call.hijack({ input: false, framed: !config.tty });
  dropInput(duct);
  const unfollow = hub.follow({ duct, stdout: true, stderr: true, framed: !config.tty, timestamps: false });
  void hub.write(config.tty ? 1 : 2, Buffer.from(config.tty ? `${message}\r\n` : `${message}\n`));
  unfollow();
  duct.end();
}

/** Connects a client to the streams that create requested. */
function attach(instance: ExecInstance, duct: Duct): void {
  const { attachStdin, attachStdout, attachStderr, tty, detachKeys } = instance.config;
  const framed = !tty;
  const follower = { duct, stdout: attachStdout, stderr: attachStderr, framed, timestamps: false };
  duct.onClose(instance.hub.follow(follower));
  if (!attachStdin) {
    dropInput(duct);
    return;
  }
  const keys = detachKeys ? parseDetachKeys(detachKeys) : defaultDetachKeys;
  passInput(duct, {
    type: (data) => (instance.terminal ? instance.terminal.type(data) : instance.stdin.push(data)),
    end: () => instance.stdin.end(),
    detachKeys: tty ? keys : undefined,
  });
}
