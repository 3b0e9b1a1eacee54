import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { generate } from 'selfsigned';

/** Files (PEM) of a certificate and its key. */
interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A CA with a certificate that it signed for an engine on this machine, and one for a client. */
export interface Authority {
  readonly ca: string;
  readonly engine: Certificate;
  readonly client: Certificate;
}

const signing = { algorithm: 'sha256', keyType: 'ec' } as const;

/** Makes a new CA and its certificates in a directory; `name` keeps several apart. */
export async function makeAuthority(directory: string, name: string): Promise<Authority> {
  const write = (part: string, text: string): string => {
    const file = path.join(directory, `${name}-${part}.pem`);
    writeFileSync(file, text);
    return file;
  };
  const authority = await generate(commonName(`${name} CA`), {
    ...signing,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, digitalSignature: true, critical: true },
    ],
  });
  const signed = async (holder: string): Promise<Certificate> => {
    const made = await generate(commonName(holder), {
      ...signing,
      ca: { key: authority.private, cert: authority.cert },
      extensions: [
        { name: 'basicConstraints', cA: false },
        { name: 'extKeyUsage', serverAuth: holder === 'engine', clientAuth: holder === 'client' },
        {
          name: 'subjectAltName',
          altNames: [
            { type: 2, value: 'localhost' },
            { type: 7, ip: '127.0.0.1' },
          ],
        },
      ],
    });
    return { cert: write(`${holder}-cert`, made.cert), key: write(`${holder}-key`, made.private) };
  };
  return { ca: write('ca', authority.cert), engine: await signed('engine'), client: await signed('client') };
}

function commonName(value: string) {
  return [{ name: 'commonName', value }];
}
