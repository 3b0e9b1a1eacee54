import { randomUUID, X509Certificate } from 'node:crypto';
import { importPKCS8, SignJWT } from 'jose';
import { generate } from 'selfsigned';

/** What a token permits on one resource, as a registry reads it. */
export interface ResourceActions {
  readonly type: string;
  readonly name: string;
  readonly actions: readonly string[];
}

/** Signs tokens that a registry takes which trusts the certificate. */
export interface Signer {
  /** PEM */
  readonly certificate: string;
  readonly issuer: string;
  sign(token: {
    readonly subject: string;
    readonly service: string;
    readonly access: readonly ResourceActions[];
    readonly seconds: number;
  }): Promise<string>;
}

/** A key of its own, and the certificate of it. */
export async function makeSigner(issuer: string): Promise<Signer> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: issuer }], {
    keyType: 'ec',
    algorithm: 'sha256',
  });
  const privateKey = await importPKCS8(key, 'ES256');
  const x5c = [new X509Certificate(cert).raw.toString('base64')];
  return {
    certificate: cert,
    issuer,
    sign({ subject, service, access, seconds }) {
      const now = Math.floor(Date.now() / 1000);
      return new SignJWT({ access })
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT', x5c })
        .setIssuer(issuer)
        .setSubject(subject)
        .setAudience(service)
        .setIssuedAt(now)
        .setNotBefore(now)
        .setExpirationTime(now + seconds)
        .setJti(randomUUID())
        .sign(privateKey);
    },
  };
}
