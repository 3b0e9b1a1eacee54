import type { Socket } from 'node:net';

/** Follows the bytes of one connection. Nothing it does affects the traffic. */
export interface Observer {
  /** Bytes of the client, already forwarded to the daemon. */
  sent(bytes: Buffer): void;
  /** Bytes of the daemon, already forwarded to the client. */
  received(bytes: Buffer): void;
  /** The daemon sends no more. */
  receivedAll(): void;
  /** Both directions have ended. */
  closed(by: Side): void;
}

/** The side that broke off a connection; `both` when each has ended its direction. */
export type Side = 'client' | 'daemon' | 'both';

/**
 * Forwards the bytes of a client and a daemon to each other unchanged: no faster than the other side accepts them, and
 * each direction ends separately. What breaks on one side is broken off on the other.
 */
export function relay(client: Socket, daemon: Socket, observer: Observer): void {
  let brokenBy: Side = 'both';
  const breakOff = (side: Exclude<Side, 'both'>) => {
    if (brokenBy === 'both') brokenBy = side;
    client.destroy();
    daemon.destroy();
  };
  client.on('error', () => breakOff('client'));
  daemon.on('error', () => breakOff('daemon'));
  client.once('close', () => closed('client', client));
  daemon.once('close', () => closed('daemon', daemon));
  // The pipe comes first, so that every chunk is forwarded before it is read.
  client.pipe(daemon);
  daemon.pipe(client);
  client.on('data', (bytes: Buffer) => observer.sent(bytes));
  daemon.on('data', (bytes: Buffer) => observer.received(bytes));
  daemon.once('end', () => observer.receivedAll());

  function closed(side: Exclude<Side, 'both'>, socket: Socket): void {
    if (!socket.readableEnded || !socket.writableFinished) breakOff(side);
    if (client.closed && daemon.closed) observer.closed(brokenBy);
  }
}
