import { createHash, randomBytes } from 'node:crypto';

/** Whom a refresh token stands for, and the only service for which it is valid. */
interface Holder {
  readonly user: string;
  readonly service: string;
}

/** The refresh tokens that were issued. They are random; only their digests are stored. */
export class RefreshTokens {
  readonly #holders = new Map<string, Holder>();

  issue(holder: Holder): string {
    const token = randomBytes(32).toString('base64url');
    this.#holders.set(digest(token), holder);
    return token;
  }

  holderOf(token: string): Holder | undefined {
    return this.#holders.get(digest(token));
  }
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
