import { check, type FixtureContext } from '../harness/check.ts';
import { makeContainer } from '../harness/engine/containers.ts';
import type { Exchange } from '../harness/engine/exchange.ts';
import { observe } from '../harness/expect/expect.ts';
import { created } from './support/common-containers.ts';

/** What a daemon answers to requests that the documents leave open (Document 1, Errors). */

check('service.unknown-path', { faults: [] }, async ({ engine }) => {
  const answer = await engine.get('/no-such-path');
  observe(`answers ${answer.status}`, answer);
});

/** Methods that the documents name for none of these paths, and that do no harm if a daemon accepts them. */
const unnamed = [
  ['POST', '/version'],
  ['DELETE', '/info'],
  ['PUT', '/containers/json'],
  ['PATCH', '/_ping'],
  ['OPTIONS', '/version'],
  ['HEAD', '/version'],
] as const;

check('service.unknown-method', { faults: [] }, async ({ engine }) => {
  const answers: Exchange[] = [];
  for (const [method, path] of unnamed) answers.push(await engine.request(method, path));
  const facts = unnamed.map(([method, path], place) => `${method} ${path}: ${answers[place]?.status}`);
  observe(facts.join(', '), ...answers);
});

/** Refusals of many kinds, each with its name in the observation. */
async function refusals({ engine, use }: FixtureContext): Promise<(readonly [string, Exchange])[]> {
  const [container, taken] = [await makeContainer(engine), await use(created)];
  const unknown = `/containers/${engine.unusedName('container')}`;
  const create = { query: { name: engine.name('container') } };
  const json = { 'content-type': 'application/json' };
  return [
    ['an unknown container', await engine.get(`${unknown}/json`)],
    ['an unknown path', await engine.get('/no-such-path')],
    ['an unknown method', await engine.request('DELETE', '/info')],
    ['a newer client', await engine.request('GET', '/info', { prefix: '/v99.99' })],
    ['a very old client', await engine.request('GET', '/info', { prefix: '/v1.0' })],
    ['a taken name', await engine.post(container.path('rename'), { query: { name: taken.name } })],
    ['a filter that is not JSON', await engine.get('/containers/json', { filters: '{' })],
    ['a body that is not JSON', await engine.post('/containers/create', { ...create, headers: json, body: '{' })],
    ['a body that is a list', await engine.post('/containers/create', { ...create, headers: json, body: '[]' })],
    ['a body of another type', await engine.post('/containers/create', { ...create, json: { Image: 1 } })],
  ];
}

check('service.error-body', { faults: [] }, async (context) => {
  const answers = await refusals(context);
  const facts = answers.map(([what, answer]) => `${what}: ${answer.status}${bodyOf(answer)}`);
  observe(facts.join('; '), ...answers.map(([, answer]) => answer));
});

function bodyOf(answer: Exchange): string {
  if (answer.status < 400) return ' (no refusal)';
  const type = answer.header('Content-Type')?.replaceAll(' ', '') ?? 'no Content-Type';
  return ` ${type} ${shapeOf(answer.text)}`;
}

function shapeOf(text: string): string {
  if (text === '') return 'without a body';
  try {
    const members = Object.keys(Object(JSON.parse(text)));
    return members.length === 0 ? 'with a JSON value' : `with ${members.join(', ')}`;
  } catch {
    return 'with a text';
  }
}
