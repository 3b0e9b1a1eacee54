import { describe, expect, test } from 'vitest';
import { loadProbe } from '../../harness/sandbox/probe-image.ts';
import type { Absence } from '../../harness/serving/absence.ts';
import { Serving } from '../../harness/serving/serving.ts';
import { statingRule } from '../../harness/serving/stating-rule.ts';
import type { Address } from '../../harness/target/address.ts';
import { allEndpoints } from '../../specs/catalogue.ts';
import { type Endpoint, endpointTitle } from '../../specs/endpoint.ts';
import { Routes } from '../../specs/routes.ts';
import { apiVersions, holdsIn, newestDocumented } from '../../specs/versions.ts';
import { engineAt } from '../harness/engines.ts';
import { proxyTo } from '../harness/proxy.ts';
import { type IsRefused, type Refusal, refusals } from './door.ts';
import { doorBefore, wholeEngine } from './doors.ts';

const api = newestDocumented;
const endpoints = allEndpoints.filter(({ server }) => server === undefined);
const asked = endpoints.filter((endpoint) => holdsIn(endpoint, api));
const routes = new Routes(endpoints);

/** Refuses endpoints, and pages that no engine has. */
function refuses(isRefused: (endpoint: Endpoint) => boolean): IsRefused {
  return (method, path) => {
    const endpoint = routes.find(method, path);
    return endpoint ? isRefused(endpoint) : path.endsWith('/ec-no-such-path');
  };
}

/** What is found, of some endpoints, that a daemon does not serve; `statuses` are what the exchanges that show it had. */
async function absencesAt(address: Address, of: readonly Endpoint[]) {
  const { engine, transport, records } = engineAt(address, { api });
  await loadProbe(transport, engine.target, engine.sandbox);
  const serving = new Serving(() => ({ engine, end: async () => {} }));
  const found: Absence[] = [];
  for (const endpoint of of) found.push(...[(await serving.absence(endpoint, api)) ?? []].flat());
  const statuses = found.map(({ evidence }) => records.find(({ id }) => id === evidence)?.answer?.status);
  return { titles: found.map(({ endpoint }) => endpoint), said: found.map(({ said }) => said), statuses };
}

const titles = (of: readonly Endpoint[]) => of.map((endpoint) => endpointTitle(endpoint));

describe('what a daemon serves', () => {
  test('is all of it on a whole engine', async () => {
    expect((await absencesAt(await wholeEngine(), asked)).titles).toEqual([]);
  });

  test.each(Object.entries<Refusal>(refusals))('is not what it answers with %s', async (_name, refusal) => {
    const whole = await wholeEngine();
    let refused: Endpoint | undefined;
    const address = await doorBefore(
      whole,
      refuses((endpoint) => endpoint === refused),
      refusal,
    );
    const { engine, transport, records } = engineAt(address, { api });
    await loadProbe(transport, engine.target, engine.sandbox);
    const told: string[] = [];
    for (const endpoint of asked) {
      refused = endpoint;
      const absence = await new Serving(() => ({ engine, end: async () => {} })).absence(endpoint, api);
      const shown = records.find(({ id }) => id === absence?.evidence);
      told.push(`${absence?.endpoint} ${shown?.answer?.status}`);
      expect(absence?.said).toMatch(new RegExp(`^${refusal.status}(?: \\w|$)`));
    }
    expect(told).toEqual(titles(asked).map((title) => `${title} ${refusal.status}`));
  });

  test('is no operation on what cannot be made either', async () => {
    const exec = asked.filter(({ path }) => /\/exec(?:\/|$)/.test(path));
    expect(exec).toHaveLength(4);
    const address = await doorBefore(
      await wholeEngine(),
      refuses((one) => exec.includes(one)),
      refusals['a 404 in text'],
    );
    const { titles: found, said } = await absencesAt(address, asked);
    expect(found).toEqual(titles(exec));
    expect(said).toEqual(exec.map(() => '404 page not found'));
  });

  test('is also what fails', async () => {
    const refusal = { status: 500, type: 'application/json', body: '{"message":"not today"}' };
    const address = await doorBefore(
      await wholeEngine(),
      refuses(({ path }) => path !== '/_ping'),
      refusal,
    );
    expect((await absencesAt(address, asked)).titles).toEqual([]);
  });

  test('is also what does not find a container that there is, and says so', async () => {
    const logs = asked.filter(({ path }) => path.endsWith('/logs'));
    const address = await proxyTo(await wholeEngine(), {
      before: ({ request, answer }) => {
        const [, name] = /\/containers\/([^/]+)\/logs/.exec(request.url ?? '') ?? [];
        if (name === undefined) return false;
        answer.writeHead(404, { 'content-type': 'application/json' });
        answer.end(JSON.stringify({ message: `no such container: ${name}` }));
        return true;
      },
    });
    expect((await absencesAt(address, logs)).titles).toEqual([]);
  });

  test('is told from a page that there is not where both are answered in the same words', async () => {
    const same = '{"message":"not found"}';
    const logs = 'GET /containers/{id}/logs';
    const address = await proxyTo(await wholeEngine(), {
      before: ({ request: { method = '', url = '' }, answer }) => {
        const endpoint = routes.find(method, url);
        if (!endpoint || endpointTitle(endpoint) !== logs) return false;
        answer.writeHead(404, { 'content-type': 'application/json' }).end(same);
        return true;
      },
      body: (_request, body) => (/no such|not found|does not exist/i.test(body) ? same : body),
    });
    const { titles: found } = await absencesAt(address, asked);
    expect(found).toEqual([logs]);
  });
});

describe('the rule by which it is told that an endpoint is not served', () => {
  const stating = endpoints.flatMap((endpoint) =>
    apiVersions
      .filter((version) => holdsIn(endpoint, version))
      .map((version) => ({ endpoint, version, rule: statingRule(endpoint, version) })),
  );

  test('is there for each endpoint in each version, a must of this endpoint alone', () => {
    const none = stating.filter(({ rule, endpoint }) => rule?.level !== 'must' || rule.endpoint !== endpoint);
    expect(none).toEqual([]);
  });

  test('is about a request that succeeds', () => {
    const ids = new Set(stating.map(({ rule }) => rule?.id ?? ''));
    expect([...ids].filter((id) => /refused|-[45]\d\d/.test(id))).toEqual([]);
    const others = [...ids].filter((id) => !/\.answers-[123]\d\d/.test(id));
    expect(others.toSorted()).toEqual([
      'containers.attach-ws.handshake',
      'containers.attach.id-or-name',
      'containers.logs.id-or-name',
      'exec.start.exec-id',
      'system.auth.good-credentials',
    ]);
  });
});
