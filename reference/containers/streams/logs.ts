import { badParameter, serverError } from '../../errors.ts';
import type { Call } from '../../http/call.ts';
import { keepsLog } from '../container.ts';
import { sendEntry } from './streams.ts';

/** GET /containers/{id}/logs (Document 2). */
export async function containerLogs(call: Call): Promise<void> {
  const container = call.engine.containers.get(call.param('id'));
  const stdout = call.query.flag('stdout');
  const stderr = call.query.flag('stderr');
  const follow = call.query.flag('follow');
  const timestamps = call.query.flag('timestamps');
  const since = call.query.time('since') ?? 0n;
  const tail = readTail(call.query.text('tail'));
  if (!keepsLog(container.hostConfig)) {
    throw serverError(`the log driver ${container.hostConfig.LogConfig.Type} does not give logs back`);
  }
  const entries = container.hub.log.select({ stdout, stderr, since, tail });
  const duct = call.hijack({ input: false, framed: !container.config.Tty, isLog: true });
  const follower = { duct, stdout, stderr, framed: !container.config.Tty, timestamps };
  duct.receive(
    () => undefined,
    () => {},
  );
  if (!follow || !container.state.running || !(stdout || stderr)) {
    for (const entry of entries) {
      const busy = sendEntry(follower, entry);
      if (busy) await busy;
    }
    return duct.end();
  }
  for (const entry of entries) void sendEntry(follower, entry);
  const unfollow = container.hub.follow(follower);
  const offStop = container.onStop(() => duct.end());
  duct.onClose(() => {
    unfollow();
    offStop();
  });
}

/** `all` or a number of lines; undefined stands for all. */
function readTail(text: string | undefined): number | undefined {
  if (text === undefined || text === 'all') return undefined;
  if (!/^\d{1,15}$/.test(text)) throw badParameter(`parameter tail: ${JSON.stringify(text)} is no number of lines`);
  return Number(text);
}
