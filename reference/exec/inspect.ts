import { readWindowSize } from '../containers/streams/window-size.ts';
import { containerInspect } from '../containers/views/shapes.ts';
import { serverError } from '../errors.ts';
import type { Call } from '../http/call.ts';
import type { ExecInstance } from './instance.ts';

/** GET /exec/{id}/json (Document 3, Exec inspect; Document 1, Exec instance). */
export function inspectExec(call: Call): void {
  const instance = call.engine.execs.get(call.param('id'));
  const { config, container } = instance;
  const [entrypoint = '', ...args] = config.command;
  const common = {
    ID: instance.id,
    Running: instance.running,
    ExitCode: instance.exitCode,
    ProcessConfig: {
      privileged: config.privileged,
      user: config.user,
      tty: config.tty,
      entrypoint,
      arguments: args,
    },
    OpenStdin: config.attachStdin,
    OpenStderr: config.attachStderr,
    OpenStdout: config.attachStdout,
  };
  if (call.since('1.23')) {
    const newest = { CanRemove: instance.finished, ContainerID: container.id, DetachKeys: config.detachKeys };
    call.answer(200, { ...common, ...newest });
    return;
  }
  const value = { ...common, Container: shapeContainer(instance, call) };
  call.answerText(200, 'plain/text', `${JSON.stringify(value)}\n`);
}

const listed = new Set(
  (
    'State Created Path Args Config Image NetworkSettings ResolvConfPath HostnamePath HostsPath LogPath Name Driver ' +
    'ExecDriver MountLabel ProcessLabel AppArmorProfile RestartCount Mounts'
  ).split(' '),
);

/** The container inside an older exec inspect. */
function shapeContainer({ container }: ExecInstance, { api }: Call): object {
  const members = Object.entries(containerInspect(container, api)).filter(([name]) => listed.has(name));
  return { ID: container.id, ...Object.fromEntries(members) };
}

/** POST /exec/{id}/resize (Document 3, Exec resize). */
export function resizeExec(call: Call): void {
  const instance = call.engine.execs.get(call.param('id'));
  const size = readWindowSize(call);
  if (!instance.terminal || !instance.ttyAtStart || !instance.running)
    throw serverError(`cannot resize exec ${instance.id}: it does not run in a terminal`);
  instance.terminal.resize(size);
  call.answerEmpty(201, { 'Content-Type': 'text/plain' });
}
