import { check } from '../harness/check.ts';
import type { Container } from '../harness/engine/container.ts';
import { type ContainerState, makeContainer } from '../harness/engine/containers.ts';
import type { Engine } from '../harness/engine/engine.ts';
import type { Exchange } from '../harness/engine/exchange.ts';
import { given } from '../harness/engine/given.ts';
import { observe } from '../harness/expect/expect.ts';
import { valuesAt } from '../harness/expect/json-path.ts';

check('service.caller-authentication', { faults: [] }, async ({ engine }) => {
  const answer = await engine.get('/version');
  observe(answer.status === 401 ? 'asks for credentials' : 'asks for no credentials', answer);
});

/** Larger than any body that a client of the documents' flow sends, and still small enough for a test. */
const largeBody = JSON.stringify({ Image: 'ec-no-such-image', Labels: { filler: 'x'.repeat(4 * 1024 * 1024) } });

check('service.rate-limits', { faults: [] }, async ({ engine }) => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => engine.get('/_ping')));
  const refused = answers.filter(({ status }) => status === 429 || status === 503);
  const large = await engine.post('/containers/create', {
    query: { name: engine.name('container') },
    headers: { 'content-type': 'application/json' },
    body: largeBody,
  });
  observe(
    [
      refused.length > 0 ? 'limits 50 requests at once' : 'answers 50 requests at once',
      large.status === 404 ? 'reads a body of 4 MiB' : `answers ${large.status} to a body of 4 MiB`,
    ].join('; '),
    ...answers.slice(-1),
    large,
  );
});

check('service.other-flag-spellings', { faults: [] }, async ({ engine }) => {
  const created = await makeContainer(engine);
  const made: string[] = [];
  const answers: Exchange[] = [];
  for (const all of ['yes', 'TRUE', 't', '2', '']) {
    const answer = await engine.get('/containers/json', { all });
    const listed = answer.status === 200 && valuesAt({ list: answer.json }, 'list[].Id').includes(created.id);
    made.push(`${JSON.stringify(all)} ${answer.status >= 400 ? 'is refused' : `means ${listed}`}`);
    answers.push(answer);
  }
  observe(`in all of the container list, ${made.join(', ')}`, ...answers);
});

check('service.content-types', { faults: [] }, async ({ engine }) => {
  const paths = ['/containers/json', '/images/json', '/info', '/version'];
  const answers = await Promise.all(paths.map((path) => engine.get(path)));
  const facts = paths.map((path, place) => `${path} ${answers[place]?.header('Content-Type') ?? 'without'}`);
  observe(`Content-Type: ${facts.join('; ')}`, ...answers);
});

const operations = ['start', 'stop', 'kill', 'pause', 'unpause', 'restart'] as const;

/** Tries the operations one after another, on another container where one has changed the state. */
async function tryIn(engine: Engine, state: ContainerState): Promise<Exchange[]> {
  const answers: Exchange[] = [];
  let container = await makeContainer(engine, { state });
  let before = await stateOf(container);
  for (const operation of operations) {
    if ((await stateOf(container)) !== before) {
      container = await makeContainer(engine, { state });
      before = await stateOf(container);
    }
    // A paused process does not stop by itself, so stop and restart wait for all of t.
    answers.push(await engine.post(container.path(operation), { query: { t: 0 }, boundMs: 30_000 }));
  }
  return answers;
}

/** All that inspect shows of the state, with the times at which it began and ended. */
async function stateOf(container: Container): Promise<string> {
  return JSON.stringify(valuesAt((await given(container.inspect(), 200)).json, 'State'));
}

check('service.transitions', { long: true, faults: [] }, async ({ engine }) => {
  const facts: string[] = [];
  const answers: Exchange[] = [];
  for (const state of ['created', 'running', 'paused', 'exited'] as const) {
    const tried = await tryIn(engine, state);
    answers.push(...tried);
    const refused = operations.flatMap((operation, place) => {
      const status = tried[place]?.status ?? 0;
      return status >= 400 ? `${operation} (${status})` : [];
    });
    facts.push(`${state} refuses ${refused.length > 0 ? refused.join(', ') : 'nothing'}`);
  }
  observe(facts.join('; '), ...answers);
});
