import type { Target } from '../target/target.ts';
import { workingVersion } from '../target/working-version.ts';
import { TransportError } from '../transport/errors.ts';
import type { Transport } from '../transport/wire.ts';
import { type SuiteServer, withSuiteServer } from './server.ts';

const stepMs = 5_000;

/**
 * Finds out whether the daemon fetches files from this machine, with a build from a URL and an import from one. The
 * file is neither a build file nor an archive, so nothing is made.
 * @returns why it does not; undefined when it does
 */
export async function tryReach(transport: Transport, target: Target): Promise<string | undefined> {
  const api = workingVersion(target.serves);
  return withSuiteServer(target.address, async (server) => {
    const fetches = [`/build?remote=`, `/images/create?fromSrc=`].map((path, index) =>
      isFetched(server, `ec-trial-${index}`, (address) =>
        transport.exchange(
          { method: 'POST', path: `/v${api}${path}${encodeURIComponent(address)}`, headers: {} },
          { wholeMs: stepMs },
        ),
      ),
    );
    const fetched = await Promise.all(fetches);
    return fetched.includes(true) ? undefined : 'the daemon fetched nothing from the server of the suite';
  });
}

async function isFetched(
  server: SuiteServer,
  name: string,
  send: (address: string) => Promise<unknown>,
): Promise<boolean> {
  const address = server.offer({ name, contentType: 'text/plain', content: 'EC-NO-WORD\n' });
  try {
    await send(address);
  } catch (error) {
    // The result of the request does not matter: only whether the daemon fetched the file.
    if (!(error instanceof TransportError)) throw error;
  }
  return server.wasAsked(address);
}
