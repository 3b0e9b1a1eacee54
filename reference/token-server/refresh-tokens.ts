import { createHash, randomBytes } from 'node:crypto';

/** Whom a refresh token stands for, and for which service alone it is good. */
interface Holder {
  readonly user: string;
  readonly service: string;
}

/** The refresh tokens that were given. They are random texts; only their digests are kept. */
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
