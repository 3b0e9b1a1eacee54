import { check } from '../harness/check.ts';
import { makeContainer } from '../harness/engine/containers.ts';
import type { Exchange } from '../harness/engine/exchange.ts';
import { given } from '../harness/engine/given.ts';
import { expect, observe } from '../harness/expect/expect.ts';
import { setsHeader } from '../harness/faults/answers.ts';
import { on } from '../harness/faults/fault.ts';
import { tellsVersion } from './known-answer.ts';

const corsHeader = 'Access-Control-Allow-Origin';

check(
  'service.cors-off-by-default',
  { faults: [on('GET /version', setsHeader(corsHeader, '*'))] },
  async ({ engine }) => {
    const answer = await given(engine.request('GET', '/version', { headers: { origin: 'http://example.test' } }), 200);
    await tellsVersion(answer);
    expect(answer).toLackHeader(corsHeader);
  },
);

check('service.error-body', { faults: [] }, async ({ engine }) => {
  const answer = await given(engine.get(`/containers/${engine.name('container')}/json`), 404);
  observe(`of a 404: ${answer.header('Content-Type') ?? 'no Content-Type'}, ${bodyKind(answer)}`, answer);
});

function bodyKind(answer: Exchange): string {
  if (answer.text === '') return 'no body';
  try {
    return `a JSON object with ${Object.keys(Object(JSON.parse(answer.text))).join(', ')}`;
  } catch {
    return 'a text';
  }
}

check('service.unknown-path', { faults: [] }, async ({ engine }) => {
  const answer = await engine.get('/no-such-path');
  observe(`answers ${answer.status}`, answer);
});

check('service.caller-authentication', { faults: [] }, async ({ engine }) => {
  const answer = await engine.get('/version');
  observe(answer.status === 401 ? 'asks for credentials' : 'asks for no credentials', answer);
});

check('service.rate-limits', { faults: [] }, async ({ engine }) => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => engine.get('/_ping')));
  const refused = answers.filter(({ status }) => status === 429 || status === 503);
  observe(refused.length > 0 ? 'limits 50 requests at once' : 'answers 50 requests at once', ...answers.slice(-1));
});

check('service.other-flag-spellings', { faults: [] }, async ({ engine }) => {
  const created = await makeContainer(engine);
  const made: string[] = [];
  const answers: Exchange[] = [];
  for (const all of ['yes', 'TRUE', 't', '2', '']) {
    const answer = await engine.get('/containers/json', { all });
    const listed = answer.status === 200 && answer.text.includes(created.id);
    made.push(`${JSON.stringify(all)} ${answer.status >= 400 ? 'is refused' : `means ${listed}`}`);
    answers.push(answer);
  }
  observe(`in all of the container list, ${made.join(', ')}`, ...answers);
});

const operations = ['start', 'stop', 'kill', 'pause', 'unpause', 'restart'] as const;

check('service.transitions', { faults: [] }, async ({ engine }) => {
  const facts: string[] = [];
  const answers: Exchange[] = [];
  for (const state of ['created', 'running', 'paused', 'exited'] as const) {
    const refused: string[] = [];
    for (const operation of operations) {
      const container = await makeContainer(engine, { state });
      // A paused process does not stop by itself, so stop and restart wait for all of t.
      const answer = await engine.post(container.path(operation), { query: { t: 0 }, boundMs: 30_000 });
      if (answer.status >= 400) refused.push(`${operation} (${answer.status})`);
      answers.push(answer);
    }
    facts.push(`${state} refuses ${refused.length > 0 ? refused.join(', ') : 'nothing'}`);
  }
  observe(facts.join('; '), ...answers);
});
