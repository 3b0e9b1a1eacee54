import { check } from '../harness/check.ts';
import type { Engine } from '../harness/engine/engine.ts';
import type { Exchange } from '../harness/engine/exchange.ts';
import { given } from '../harness/engine/given.ts';
import { expect, expectValue, observe } from '../harness/expect/expect.ts';
import { dropsHeader, setsHeader } from '../harness/faults/answers.ts';
import { type Fault, on, onRequests } from '../harness/faults/fault.ts';
import type { Target } from '../harness/target/target.ts';
import { Blocked } from '../harness/verdict/outcomes.ts';
import { tellsVersion } from './support/known-answer.ts';

const header = 'Access-Control-Allow-Origin';

/** An origin that no daemon was configured with. */
const foreign = 'http://foreign.test';

/** The request that a browser would send for a page of this origin. */
async function askFrom(engine: Engine, origin: string): Promise<Exchange> {
  const answer = await given(engine.request('GET', '/version', { headers: { origin } }), 200);
  await tellsVersion(answer);
  return answer;
}

const sends = (value: string) => on('GET /version', setsHeader(header, value));
const sendsNone = on('GET /version', dropsHeader(header));

const originOf = ({ declared }: Pick<Target, 'declared'>) => declared?.corsOrigin;

const startedWithout = (target: Target) =>
  originOf(target) === undefined ? undefined : 'the daemon was started with an api-cors-header, as --cors-origin says';
const startedWithOne = (target: Target) =>
  originOf(target) === '*' ? 'the daemon lets every origin in, as --cors-origin says' : undefined;
const startedWithAll = (target: Target) =>
  originOf(target) === '*' ? undefined : 'the daemon does not let every origin in, as --cors-origin says';

/** What a page may try besides GET /version: reading, and a preflight before writing. */
const tries = [
  ['GET', '/_ping'],
  ['GET', '/containers/json'],
  ['OPTIONS', '/containers/create'],
] as const;

check(
  'service.cors-off-by-default',
  {
    faults: [sends('*'), ...tries.map(([method, path]) => onRequests(`${method} ${path}`, setsHeader(header, '*')))],
    notOn: startedWithout,
  },
  async ({ engine }) => {
    expect(await askFrom(engine, foreign)).toLackHeader(header);
    for (const [method, path] of tries) {
      const headers = { origin: foreign, ...(method === 'OPTIONS' && { 'access-control-request-method': 'POST' }) };
      expect(await engine.request(method, path, { headers })).toLackHeader(header);
    }
  },
);

/** Answers with the header to GET /version, but not elsewhere. */
const sendsThereAlone = onRequests('GET /containers/json', dropsHeader(header));

check(
  'service.cors-origin',
  { faults: [sendsNone, sends('http://example.test'), sendsThereAlone], notOn: startedWithOne },
  async ({ engine, target }) => {
    const origin = originOf(target) ?? '';
    for (const answer of await answersTo(engine, origin)) expect(answer).toHaveHeader(header, origin);
  },
);

/** The answers to what a page of this origin reads. */
async function answersTo(engine: Engine, origin: string): Promise<Exchange[]> {
  const answers = [await askFrom(engine, origin)];
  for (const [method, path] of tries) {
    if (method !== 'OPTIONS') answers.push(await given(engine.request(method, path, { headers: { origin } }), 200));
  }
  return answers;
}

check(
  'service.cors-other-origin',
  { faults: [letsForeignIn('*'), letsForeignIn(foreign)], notOn: startedWithOne },
  async ({ engine, target }) => {
    const origin = originOf(target) ?? '';
    const own = await askFrom(engine, origin);
    if (own.header(header) === undefined) throw new Blocked(`the daemon does not let in ${origin} either`);
    const answer = await askFrom(engine, foreign);
    expectValue(header, answer.header(header) ?? '', [own, answer]).toSatisfy(
      'neither * nor an origin that the daemon was not told of',
      (origin) => origin !== '*' && origin !== foreign,
    );
  },
);

/** Answers the foreign origin as if it were allowed, and others as the daemon does. */
function letsForeignIn(value: string): Fault {
  const always = sends(value);
  return {
    ...always,
    name: `${always.name} to ${foreign}`,
    answer: (answer, request) =>
      request.headers.origin === foreign ? (always.answer?.(answer, request) ?? answer) : answer,
  };
}

check(
  'service.cors-all-origins',
  { faults: [sendsNone, sends('http://example.test'), sendsThereAlone], notOn: startedWithAll },
  async ({ engine }) => {
    for (const answer of await answersTo(engine, foreign)) {
      expectValue(header, answer.header(header) ?? '', [answer]).toBeOneOf('*', foreign);
    }
  },
);

check('service.cors-preflight', { faults: [] }, async ({ engine }) => {
  const answer = await engine.request('OPTIONS', '/containers/create', {
    headers: { origin: foreign, 'access-control-request-method': 'POST' },
  });
  const allowed = ['Origin', 'Methods', 'Headers'].filter((of) => answer.header(`Access-Control-Allow-${of}`));
  const told = allowed.length === 0 ? 'no Access-Control-Allow-*' : allowed.map((of) => `Access-Control-Allow-${of}`);
  observe(`answers ${answer.status} with ${[told].flat().join(', ')}`, answer);
});
