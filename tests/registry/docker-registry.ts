import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { lookUntil } from '../../harness/engine/look-until.ts';
import { freePort } from '../free-port.ts';

const program = '/usr/bin/docker-registry';

/** The user whom a registry with a password lets in. */
export const user = { username: 'user', password: 'of-the-user' };
const passwordHash = '$2b$04$rmPpWKwRUb8Gb8CKi7rkNetc02tgs6ls6GhpgBKpCPxRFHIB79etq';

export interface DockerRegistry {
  /** `127.0.0.1:port` */
  readonly host: string;
  stop(): Promise<void>;
}

/** Why Debian's docker-registry cannot be started here; undefined when it can. */
export function whyNoRegistry(): string | undefined {
  try {
    accessSync(program, constants.X_OK);
    return undefined;
  } catch {
    return `${program} is not installed`;
  }
}

/** Whose tokens a registry takes. */
export interface TokenAuth {
  readonly realm: string;
  readonly service: string;
  readonly issuer: string;
  /** PEM: tokens are signed with its key. */
  readonly certificate: string;
}

/** Starts Debian's docker-registry on a free port, with a store of its own. */
export async function startRegistry({
  withPassword = false,
  tokens,
}: {
  withPassword?: boolean;
  tokens?: TokenAuth;
}): Promise<DockerRegistry> {
  const directory = mkdtempSync(path.join(tmpdir(), 'ec-docker-registry-'));
  const host = `127.0.0.1:${await freePort()}`;
  const users = path.join(directory, 'htpasswd');
  writeFileSync(users, `${user.username}:${passwordHash}\n`);
  const configuration = {
    version: 0.1,
    log: { level: 'error', accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: path.join(directory, 'store') } },
    http: { addr: host },
    ...(withPassword && { auth: { htpasswd: { realm: 'registry', path: users } } }),
    ...(tokens && { auth: { token: tokenAuth(tokens, directory) } }),
  };
  // JSON is YAML.
  const file = path.join(directory, 'config.yml');
  writeFileSync(file, JSON.stringify(configuration));
  const child = spawn(program, ['serve', file], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill();
    await exited;
    rmSync(directory, { recursive: true, force: true });
  };
  const answer = await lookUntil(
    () => fetch(`http://${host}/v2/`).catch(() => undefined),
    (seen) => seen !== undefined || child.exitCode !== null,
    15_000,
  );
  if (answer) return { host, stop };
  await stop();
  throw new Error('docker-registry does not answer');
}

function tokenAuth({ realm, service, issuer, certificate }: TokenAuth, directory: string): object {
  const rootcertbundle = path.join(directory, 'tokens.pem');
  writeFileSync(rootcertbundle, certificate);
  return { realm, service, issuer, rootcertbundle };
}
