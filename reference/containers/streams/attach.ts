import { conflict } from '../../errors.ts';
import type { Call } from '../../http/call.ts';
import type { Duct } from '../../http/duct.ts';
import type { Container } from '../container.ts';
import { emit } from '../lifecycle.ts';
import { dropInput, passInput } from './client-input.ts';
import { defaultDetachKeys, parseDetachKeys } from './detach-keys.ts';
import { sendEntry } from './streams.ts';

/** What a client of attach asks for. */
interface AttachOptions {
  readonly logs: boolean;
  readonly stream: boolean;
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly detachKeys: Buffer;
}

/** Reads the query of attach. Throws 400. */
function readAttachOptions(call: Call, container: Container): AttachOptions {
  const keys = (call.since('1.23') ? call.query.text('detachKeys') : undefined) ?? container.detachKeys;
  return {
    logs: call.query.flag('logs'),
    stream: call.query.flag('stream'),
    stdin: call.query.flag('stdin'),
    stdout: call.query.flag('stdout'),
    stderr: call.query.flag('stderr'),
    detachKeys: keys === undefined ? defaultDetachKeys : parseDetachKeys(keys),
  };
}

/** The container and what the client asks for. Throws EngineError. */
function attachable(call: Call): { container: Container; options: AttachOptions } {
  const container = call.engine.containers.get(call.param('id'));
  const options = readAttachOptions(call, container);
  if (call.since('1.23') && container.state.paused) throw conflict(`container ${container.id} is paused`);
  return { container, options };
}

/** POST /containers/{id}/attach (Document 2, Attach to a container and Stream framing). */
export async function attachContainer(call: Call): Promise<void> {
  const { container, options } = attachable(call);
  await call.dropBody();
  const duct = call.hijack({ input: options.stream && options.stdin, framed: !container.config.Tty });
  emit(call.engine, container, 'attach');
  attach(container, duct, options, !container.config.Tty);
}

/** GET /containers/{id}/attach/ws: the same streams as messages of bytes, without frame headers. */
export function attachWebSocket(call: Call): void {
  const { container, options } = attachable(call);
  call.webSocket((duct) => {
    emit(call.engine, container, 'attach');
    attach(container, duct, options, false);
  });
}

/** Sends the log and then the streams of a container to a client, and the client's input to the container. */
function attach(container: Container, duct: Duct, options: AttachOptions, framed: boolean): void {
  const { stdout, stderr, stream } = options;
  const follower = { duct, stdout, stderr, framed, timestamps: false };
  if (options.logs) for (const entry of container.hub.log.select({ stdout, stderr })) void sendEntry(follower, entry);
  const takesInput = options.stdin && container.config.OpenStdin;
  if (!stream || !(stdout || stderr || takesInput)) {
    dropInput(duct);
    duct.end();
    return;
  }
  const unfollow = container.hub.follow(follower);
  const offStop = container.onStop(() => duct.end());
  const leave = (): void => {
    unfollow();
    offStop();
  };
  duct.onClose(leave);
  if (takesInput) attachInput(container, duct, options);
  else dropInput(duct);
}

function attachInput(container: Container, duct: Duct, options: AttachOptions): void {
  const { Tty, StdinOnce } = container.config;
  passInput(duct, {
    // Without a terminal, or before it exists, input waits in the pipe.
    type: (data) => (container.terminal ? container.terminal.type(data) : container.stdin.push(data)),
    end: () => {
      if (StdinOnce && !Tty) container.stdin.end();
    },
    detachKeys: Tty ? options.detachKeys : undefined,
  });
}
