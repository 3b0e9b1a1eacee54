import { randomUUID } from 'node:crypto';
import { type CryptoKey, generateKeyPair, SignJWT } from 'jose';
import type { Access } from './scope.ts';

/** How long an access token is valid. The documents require at least 60. */
export const goodForSeconds = 300;

const algorithm = 'ES256';

/** Makes access tokens: signed, so that a registry can check them without asking the server. */
export class AccessTokens {
  readonly #issuer: string;
  readonly #key: CryptoKey;

  private constructor(issuer: string, key: CryptoKey) {
    this.#issuer = issuer;
    this.#key = key;
  }

  static async create(issuer: string): Promise<AccessTokens> {
    const { privateKey } = await generateKeyPair(algorithm);
    return new AccessTokens(issuer, privateKey);
  }

  issue(subject: string, service: string, access: readonly Access[], at: Date): Promise<string> {
    const seconds = Math.floor(at.getTime() / 1000);
    return new SignJWT({ access })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
      .setIssuer(this.#issuer)
      .setSubject(subject)
      .setAudience(service)
      .setIssuedAt(seconds)
      .setNotBefore(seconds)
      .setExpirationTime(seconds + goodForSeconds)
      .setJti(randomUUID())
      .sign(this.#key);
  }
}
