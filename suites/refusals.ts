import { check, type FixtureContext } from '../harness/check.ts';
import { makeContainer } from '../harness/engine/containers.ts';
import type { Exchange } from '../harness/engine/exchange.ts';
import { observe } from '../harness/expect/expect.ts';
import { created } from './support/common-containers.ts';
import { doneOnce, doneOnceForAll } from './support/done-once.ts';

/** What a daemon answers to requests that the documents leave open (Document 1, Errors). */

const unknownPath = doneOnce('the answer to an unknown path', ({ engine }) => engine.get('/no-such-path'));

check('service.unknown-path', { faults: [] }, async (context) => {
  const answer = await unknownPath(context);
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

const unknownMethods = doneOnce('the answers to methods that nothing names', async ({ engine }) => {
  const asked: { readonly what: string; readonly answer: Exchange }[] = [];
  for (const [method, path] of unnamed) {
    asked.push({ what: `${method} ${path}`, answer: await engine.request(method, path) });
  }
  return asked;
});

check('service.unknown-method', { faults: [] }, async (context) => {
  const asked = await unknownMethods(context);
  const facts = asked.map(({ what, answer }) => `${what}: ${answer.status}`);
  observe(facts.join(', '), ...asked.map(({ answer }) => answer));
});

/** Sent once: what they ask for has a prefix of its own. */
const otherClients = doneOnceForAll('the answers to a newer and to a very old client', async ({ engine }) => ({
  newer: await engine.request('GET', '/info', { prefix: '/v99.99' }),
  old: await engine.request('GET', '/info', { prefix: '/v1.0' }),
}));

/** Refusals of many kinds, each with its name in the observation. */
async function refusals(context: FixtureContext): Promise<(readonly [string, Exchange])[]> {
  const { engine, use } = context;
  const [container, taken] = [await makeContainer(engine), await use(created)];
  const unknown = `/containers/${engine.unusedName('container')}`;
  const create = { query: { name: engine.name('container') } };
  const json = { 'content-type': 'application/json' };
  const clients = await otherClients(context);
  const methods = (await unknownMethods(context)).filter(({ what }) => what === 'DELETE /info');
  return [
    ['an unknown container', await engine.get(`${unknown}/json`)],
    ['an unknown path', await unknownPath(context)],
    ...methods.map(({ answer }) => ['an unknown method', answer] as const),
    ['a newer client', clients.newer],
    ['a very old client', clients.old],
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
