import { ConnectionObserver } from './observe/connection.ts';
import { PassingExchange } from './passing.ts';
import type { Observer } from './relay.ts';
import type { Traffic } from './traffic.ts';

/** Follows a connection, and judges each exchange that passes on it. */
export function follow(traffic: Traffic, connection: number): Observer {
  traffic.connected();
  return new ConnectionObserver({
    begin: (request) => new PassingExchange(traffic.begun(), connection, request, traffic),
    unread: (why) => traffic.unread(connection, why),
  });
}
