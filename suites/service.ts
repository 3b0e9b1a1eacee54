import { isDeepStrictEqual } from 'node:util';
import { check, fixture } from '../harness/check.ts';
import type { Container } from '../harness/engine/container.ts';
import { type ContainerState, makeContainer } from '../harness/engine/containers.ts';
import type { Engine } from '../harness/engine/engine.ts';
import type { Exchange } from '../harness/engine/exchange.ts';
import { given } from '../harness/engine/given.ts';
import { observe } from '../harness/expect/expect.ts';
import type { JsonValue } from '../harness/streams/json.ts';
import { valuesAt } from '../harness/streams/json-path.ts';
import { created } from './support/common-containers.ts';
import { doneOnceForAll } from './support/done-once.ts';
import { askedInfo } from './support/info-asked.ts';
import { askedVersion } from './support/version-asked.ts';

check('service.caller-authentication', { faults: [] }, async (context) => {
  const answer = await askedVersion(context);
  observe(answer.status === 401 ? 'asks for credentials' : 'asks for no credentials', answer);
});

/** Larger than any body of a client that follows the documents, and still small enough for a test. */
const largeBody = JSON.stringify({ Image: 'ec-no-such-image', Labels: { filler: 'x'.repeat(4 * 1024 * 1024) } });

/** Requested once for all versions: a daemon limits requests whatever their version. */
const manyAnswers = fixture(
  'the answers to 20 requests at once',
  ({ engine }) => Promise.all(Array.from({ length: 20 }, () => engine.get('/_ping'))),
  { allVersions: (made) => made },
);

/** Sent once as well. */
const largeAnswer = fixture(
  'the answer to a body of 4 MiB',
  ({ engine }) =>
    engine.post('/containers/create', {
      query: { name: engine.name('container') },
      headers: { 'content-type': 'application/json' },
      body: largeBody,
    }),
  { allVersions: (made) => made },
);

check('service.rate-limits', { faults: [] }, async ({ use }) => {
  const answers = await use(manyAnswers);
  const refused = answers.filter(({ status }) => status === 429 || status === 503);
  const large = await use(largeAnswer);
  observe(
    [
      refused.length > 0 ? 'limits 20 requests at once' : 'answers 20 requests at once',
      large.status === 404 ? 'reads a body of 4 MiB' : `answers ${large.status} to a body of 4 MiB`,
    ].join('; '),
    ...answers.slice(-1),
    large,
  );
});

/** Asked once for all versions, as nothing says that they read flags in different ways. */
const otherSpellings = doneOnceForAll('the lists with other spellings of a flag', async ({ engine, use }) => {
  const { id } = await use(created);
  const made: string[] = [];
  const answers: Exchange[] = [];
  for (const all of ['yes', 'TRUE', 't', '2', '']) {
    const answer = await engine.get('/containers/json', { all });
    const listed = answer.status === 200 && valuesAt({ list: answer.json }, 'list[].Id').includes(id);
    made.push(`${JSON.stringify(all)} ${answer.status >= 400 ? 'is refused' : `means ${listed}`}`);
    answers.push(answer);
  }
  return { made, answers };
});

check('service.other-flag-spellings', { faults: [] }, async (context) => {
  const { made, answers } = await otherSpellings(context);
  observe(`in all of the container list, ${made.join(', ')}`, ...answers);
});

check('service.content-types', { faults: [] }, async (context) => {
  const { engine } = context;
  const asked = {
    '/containers/json': engine.get('/containers/json'),
    '/images/json': engine.get('/images/json'),
    '/info': askedInfo(context),
    '/version': askedVersion(context),
  };
  const answers = await Promise.all(Object.values(asked));
  const facts = Object.keys(asked).map(
    (path, place) => `${path} ${answers[place]?.header('Content-Type') ?? 'without'}`,
  );
  observe(`Content-Type: ${facts.join('; ')}`, ...answers);
});

const operations = ['start', 'stop', 'kill', 'pause', 'unpause', 'restart'] as const;

/** A container, and the state that inspect last showed, with its start and end times. */
interface Seen {
  readonly container: Container;
  readonly shown: JsonValue;
}

async function look(container: Container): Promise<Seen> {
  return { container, shown: valuesAt((await given(container.inspect(), 200)).json, 'State')[0] ?? null };
}

/** Containers by the state that operations have left them in, so that few have to be made. */
class Kept {
  readonly #engine: Engine;
  readonly #seen: Record<ContainerState, Seen[]> = { created: [], running: [], paused: [], exited: [] };

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async #take(state: ContainerState): Promise<Seen> {
    return this.#seen[state].pop() ?? look(await this.#bring(state));
  }

  async #bring(state: ContainerState): Promise<Container> {
    const running = state === 'paused' ? this.#seen.running.pop()?.container : undefined;
    if (!running) return makeContainer(this.#engine, { state });
    await given(running.pause(), 204);
    return running;
  }

  /** Tries an operation on a container in a state. */
  async try(operation: (typeof operations)[number], state: ContainerState): Promise<Exchange> {
    const before = await this.#take(state);
    // A paused process does not stop by itself, so stop and restart wait for all of t.
    const path = before.container.path(operation);
    const answer = await this.#engine.post(path, { query: { t: 0 } });
    const after = await look(before.container);
    const left = isDeepStrictEqual(after.shown, before.shown) ? state : stateShown(after);
    // A container that was changed without having run fits none of the states.
    if (left !== 'exited' || state !== 'created') this.#seen[left].push(after);
    return answer;
  }
}

/** The state of a container that has changed since its creation. */
function stateShown({ shown }: Seen): Exclude<ContainerState, 'created'> {
  const is = (name: string) => valuesAt(shown, name)[0] === true;
  if (is('Paused')) return 'paused';
  return is('Running') ? 'running' : 'exited';
}

/** Tried once for all versions: which operations a state allows is a property of the daemon. */
const transitions = fixture(
  'the answers to each operation in each state',
  async ({ engine, target: { lacks } }) => {
    const kept = new Kept(engine);
    const pausable = lacks.freezer === undefined ? (['paused'] as const) : [];
    const facts: string[] = [];
    const answers: Exchange[] = [];
    for (const state of ['created', 'running', ...pausable, 'exited'] as const) {
      const tried: Exchange[] = [];
      for (const operation of operations) tried.push(await kept.try(operation, state));
      answers.push(...tried);
      const refused = operations.flatMap((operation, place) => {
        const status = tried[place]?.status ?? 0;
        return status >= 400 ? `${operation} (${status})` : [];
      });
      facts.push(`${state} refuses ${refused.length > 0 ? refused.join(', ') : 'nothing'}`);
    }
    if (pausable.length === 0) facts.push('paused is not tried, as containers cannot be paused');
    return { facts, answers };
  },
  { allVersions: (made) => made },
);

check('service.transitions', { long: true, looksAt: ['freezer'], faults: [] }, async ({ use }) => {
  const { facts, answers } = await use(transitions);
  observe(facts.join('; '), ...answers);
});
