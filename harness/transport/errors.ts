/** What kept an exchange from being completed. */
export type TransportFailure =
  /** No connection could be made: refused, no such socket, name not found. */
  | 'unreachable'
  /** The connection ended before the answer was complete. */
  | 'closed'
  /** A time limit expired. */
  | 'timeout'
  /** The bytes are not HTTP. */
  | 'malformed'
  /** The answer is larger than the suite reads. */
  | 'too-large';

/** An exchange without a complete answer. The message says what was waited for and what came. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly failure: TransportFailure;

  constructor(failure: TransportFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}

const failures: Readonly<Record<string, TransportFailure>> = {
  ECONNREFUSED: 'unreachable',
  ENOENT: 'unreachable',
  ENOTFOUND: 'unreachable',
  EACCES: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  UND_ERR_CONNECT_TIMEOUT: 'unreachable',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  UND_ERR_SOCKET: 'closed',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'malformed',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'malformed',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'too-large',
  // undici's parser asserts what it assumes, such as a status of three digits.
  ERR_ASSERTION: 'malformed',
};

/** Whether the request could not be written at all, which is a defect of the kit and not of the target. */
export function isUnsendable(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED';
}

/** Converts an error of undici or a socket into a TransportError. */
export function asTransportError(error: unknown): TransportError {
  if (error instanceof TransportError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  // undici gives its parser's errors codes such as HPE_INVALID_CONSTANT, or none at all.
  const failure = failures[code] ?? (code.startsWith('HPE_') || code === '' ? 'malformed' : 'closed');
  return new TransportError(failure, code ? `${message} (${code})` : message, { cause: error });
}
