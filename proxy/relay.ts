import type { Socket } from 'node:net';

/** Follows the bytes of one connection. Nothing that it does reaches the traffic. */
export interface Observer {
  /** Bytes of the client, which are on their way to the daemon already. */
  sent(bytes: Buffer): void;
  /** Bytes of the daemon, which are on their way to the client already. */
  received(bytes: Buffer): void;
  /** The daemon sends no more. */
  receivedAll(): void;
  /** Nothing goes in either direction any more. */
  closed(by: Side): void;
}

/** The side of a connection that broke it off; `both` when each has said that it sends no more. */
export type Side = 'client' | 'daemon' | 'both';

/**
 * Carries the bytes of a client and a daemon to each other as they are: no faster than the other side takes them, and
 * with the end of one direction while the other goes on. What breaks on one side is broken off on the other.
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
  // The pipe comes first, so that every chunk is forwarded before it is looked at.
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
