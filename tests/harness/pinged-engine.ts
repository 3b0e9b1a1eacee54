import type { Address } from '../../harness/target/address.ts';
import { httpServer } from './servers.ts';

/**
 * A daemon without containers, which answers pings as it is told, and listens until the test ends.
 * @param ping gets the API version and the query of each ping, and gives the text of the answer
 */
export function pingedEngine(ping: (api: string, query: string) => string): Promise<Address> {
  return httpServer((request, answer) => {
    request.resume();
    const [, api = '', at = '', query = ''] = /^\/v([\d.]+)([^?]*)\??(.*)$/.exec(request.url ?? '') ?? [];
    if (at === '/_ping') return answer.end(ping(api, query));
    const known: Record<string, unknown> = {
      '/version': { Version: '0.1', ApiVersion: api, Os: 'linux', Arch: 'amd64' },
      '/info': {},
      '/containers/json': [],
    };
    const body = known[at];
    answer.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    return answer.end(JSON.stringify(body ?? {}));
  });
}
