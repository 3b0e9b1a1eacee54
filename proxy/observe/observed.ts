import type { WireHead } from '../../harness/transport/wire.ts';

export interface RequestHead {
  readonly method: string;
  /** With version prefix and query, as it was sent. */
  readonly target: string;
  readonly headers: WireHead['headers'];
}

/**
 * How an exchange ended. `whole`: with the complete answer, or a stream that either side closed. `client` and `daemon`:
 * the side that broke off the connection during the answer. `unread`: what came is not HTTP.
 */
export type Ending = 'whole' | 'client' | 'daemon' | 'unread';

/** Informed about one exchange as it passes. */
export interface ExchangeObserver {
  /** Whether the answer may turn the connection into a stream of bytes in both directions. */
  readonly mayTakeOver: boolean;
  requestBody(bytes: Buffer): void;
  requestEnded(): void;
  answered(head: WireHead): void;
  answerBody(bytes: Buffer): void;
  /** The connection carries plain bytes from now on. */
  takenOver(): void;
  /** Bytes of a connection that was taken over. */
  streamed(direction: 'sent' | 'received', bytes: Buffer): void;
  /** Called once, last. */
  ended(how: Ending): void;
}
