/** Error codes of RFC 6749, section 5.2. */
type Code = 'invalid_request' | 'invalid_grant' | 'unsupported_grant_type' | 'invalid_scope';

/** A refusal, answered with `status` and a JSON body `{ "error": …, "error_description": … }`. */
export class TokenError extends Error {
  readonly status: number;
  readonly code: Code;

  constructor(status: number, code: Code, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
