import { check, type ServerError } from '../harness/check.ts';
import type { Engine, RequestOptions } from '../harness/engine/engine.ts';
import type { Exchange } from '../harness/engine/exchange.ts';
import { expectValue } from '../harness/expect/expect.ts';
import { answersStatus } from '../harness/faults/answers.ts';
import { requestMatcher } from '../harness/faults/faulty-transport.ts';
import { TransportError } from '../harness/transport/errors.ts';
import { NotApplicable } from '../harness/verdict/outcomes.ts';
import { allRules, isRuleId } from '../specs/catalogue.ts';
import { type Endpoint, endpointTitle } from '../specs/endpoint.ts';

/** The one status that the documents have for an error of the server (Document 1, Errors). */
const serverError = 500;

/** Nobody listens there, whatever the host of the daemon. */
const nowhere = '127.0.0.1:1';

const archive = { headers: { 'content-type': 'application/x-tar' }, body: Buffer.alloc(1_024) };
const noJson = { headers: { 'content-type': 'application/json' }, body: Buffer.from('{') };
const asNobody = { 'x-registry-auth': Buffer.from('{}').toString('base64url') };

/** What a request needs besides its path, so that a daemon understands it, and does nothing with it. */
const harmless: Readonly<Record<string, (engine: Engine) => RequestOptions>> = {
  'POST /containers/create': (engine) => ({
    query: { name: engine.name('container') },
    json: { Image: engine.name('image') },
  }),
  'POST /containers/{id}/update': () => ({ json: { CpuShares: 512 } }),
  'POST /containers/{id}/rename': (engine) => ({ query: { name: engine.name('container') } }),
  'POST /containers/{id}/copy': () => ({ json: { Resource: '/' } }),
  'HEAD /containers/{id}/archive': () => ({ query: { path: '/' } }),
  'GET /containers/{id}/archive': () => ({ query: { path: '/' } }),
  'PUT /containers/{id}/archive': () => ({ query: { path: '/' }, ...archive }),
  'GET /containers/{id}/logs': () => ({ query: { stdout: true } }),
  'POST /containers/{id}/exec': () => ({ json: { Cmd: ['none'] } }),
  'POST /build': () => archive,
  'POST /commit': (engine) => ({ query: { container: engine.name('container') }, json: {} }),
  'POST /images/create': () => ({ query: { fromImage: 'NO NAME' } }),
  'POST /images/load': () => archive,
  'POST /images/{name}/push': () => ({ headers: asNobody }),
  'POST /images/{name}/tag': () => ({ query: { repo: 'none', tag: 'none' } }),
  'GET /images/search': () => ({ query: { term: `${nowhere}/none` } }),
  'GET /images/get': (engine) => ({ query: { names: engine.name('image') } }),
  'POST /auth': () => ({ json: { username: 'none', password: 'none-of-them', serveraddress: nowhere } }),
  'GET /events': () => ({ query: { since: 1, until: 2 } }),
  'POST /volumes/create': () => noJson,
  'POST /networks/create': () => noJson,
  'POST /networks/{id}/connect': (engine) => ({ json: { Container: engine.name('container') } }),
  'POST /networks/{id}/disconnect': (engine) => ({ json: { Container: engine.name('container') } }),
};

for (const { id, endpoint } of allRules) {
  if (!endpoint || !id.endsWith('.server-error-500') || !isRuleId(id)) continue;
  check(id, { faults: [answersStatus(503)], last: true }, async ({ engine, serverErrors }) => {
    const isHere = requestMatcher(endpointTitle(endpoint));
    const own = await ask(engine, endpoint);
    const seen: ServerError[] = serverErrors().filter(({ request }) => isHere(request));
    if (own && own.status >= serverError) seen.push(own);
    if (seen.length === 0) throw new NotApplicable('nothing that the run asked of it was a server error');
    expectServerErrors(seen);
  });
}

/** Asks for something that there is not, where the endpoint can be asked for it. */
async function ask(engine: Engine, { method, path }: Endpoint): Promise<Exchange | undefined> {
  const of = path.startsWith('/images') ? 'image' : 'container';
  const here = path.replace(/\{\w+\}/g, () => encodeURIComponent(engine.name(of)));
  const options = harmless[`${method} ${path}`]?.(engine) ?? {};
  try {
    return await engine.request(method, here, options);
  } catch (error) {
    // That nothing comes is judged by others.
    if (error instanceof TransportError) return undefined;
    throw error;
  }
}

/** Where a request is bad, a reading of the documents allows any refusal, so that another status is no more than a should. */
function expectServerErrors(seen: readonly ServerError[]): void {
  const others = seen.filter(({ status }) => status !== serverError);
  const decisive = others.length > 0 ? others : seen;
  expectValue('the statuses of the server errors', [...new Set(seen.map(({ status }) => status))], decisive.slice(-1), {
    level: 'should',
  }).toBe([serverError]);
}
