/** A refusal that is answered with `status` and a JSON body `{ "message": … }`. Nobody sees a stack, so it has none. */
export class EngineError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.status = status;
  }
}

export function badParameter(message: string): EngineError {
  return new EngineError(400, message);
}

export function forbidden(message: string): EngineError {
  return new EngineError(403, message);
}

export function notFound(message: string): EngineError {
  return new EngineError(404, message);
}

export function conflict(message: string): EngineError {
  return new EngineError(409, message);
}

export function serverError(message: string): EngineError {
  return new EngineError(500, message);
}
