import { check, fixture } from '../../harness/check.ts';
import { Container } from '../../harness/engine/container.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { Exchange } from '../../harness/engine/exchange.ts';
import { control, given, settled } from '../../harness/engine/given.ts';
import type { LiveExchange } from '../../harness/engine/live-exchange.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { type Fault, onRepeats } from '../../harness/faults/fault.ts';
import { setsField, setsFieldWhere } from '../../harness/faults/fields.ts';
import { ignoresQuery, knowsOnlyIdentifiers, swallows } from '../../harness/faults/requests.ts';
import { holdsHead } from '../../harness/faults/streams.ts';
import { valuesAt } from '../../harness/streams/json-path.ts';
import { created, idle, succeeded, useCommon } from '../support/common-containers.ts';
import { checkFields, fieldRulesOf } from '../support/field-checks.ts';
import { afterOthers, anotherTime, ifRight, ifThere, itself } from '../support/shared-results.ts';

/** The head does not wait for the container, which runs until it is killed, so this much is not lateness. */
const headMs = 5_000;

// Engines forget the code of a container some time after it has ended, so what is judged is waited for at once.
async function startedWith(engine: Engine, code: number): Promise<Container> {
  const container = await makeContainer(engine, { run: ['exit', String(code)], network: 'any' });
  await given(container.start(), 204);
  return container;
}

const ofZero = fixture('the answer of wait', async ({ engine }) => (await startedWith(engine, 0)).wait());

/** The answers of wait for one container: by identifier, and then, as it has ended, by name. */
const ofThree = fixture('two answers of wait for one container', async ({ engine }) => {
  const container = await startedWith(engine, 3);
  const byId = await given(container.wait(), 200);
  return { byId, byName: await new Container(engine, container.name, container.name).wait() };
});

/** What clients get that wait for a container which ends later, and whether one of them got it before that. */
interface Later {
  readonly early: boolean;
  readonly waits: readonly Promise<Exchange>[];
}

interface Ending {
  readonly run: readonly string[];
  readonly end: (container: Container) => Promise<Exchange>;
}

/** It ends with 255 on a signal. */
const onSignal: Ending = {
  run: ['catch', 'wait-signal', 'exit', '255'],
  end: (container) => container.kill({ signal: 'SIGTERM' }),
};
const onKill: Ending = { run: ['forever'], end: (container) => container.kill() };

async function endingLater(engine: Engine, { run, end }: Ending, clients: number): Promise<Later> {
  const steps = ['out', 'ready\\n', 'sleep', '500', 'out', 'later\\n', ...run];
  const container = await makeContainer(engine, { run: steps, state: 'running' });
  await container.hasWritten('ready');
  let early = false;
  const waits = Array.from({ length: clients }, () => container.wait({ takesMs: 30_000 }));
  const first = settled(Promise.race(waits), 'wait').then(() => {
    early = true;
  });
  await Promise.race([container.hasWritten('later'), first]);
  if (early) return { early, waits };
  await given(end(container), 204);
  return { early: false, waits };
}

/** The answer of wait for a container that ends later, and whether it came before that. */
async function waitForLater(engine: Engine, ending: Ending): Promise<{ early: boolean; wait: Exchange }> {
  const { early, waits } = await endingLater(engine, ending, 1);
  const [wait] = await Promise.all(waits.map((wait) => given(wait, 200)));
  if (!wait) throw new Error('a client was asked for');
  return { early, wait };
}

/** The same for two clients. */
const ofLater = fixture('the answer of wait for a container that ends later', async ({ engine }) => {
  const { early, waits } = await endingLater(engine, onSignal, 2);
  const answers = await Promise.all(waits.map((wait) => given(wait, 200)));
  const [wait, beside] = answers;
  if (!wait || !beside) throw new Error('two clients were asked for');
  return { early, wait, beside };
});

function hasCode(answer: Exchange, code: number): boolean {
  return answer.status === 200 && valuesAt(answer.json, 'StatusCode')[0] === code;
}

checkFields(
  fieldRulesOf('containers.wait.field.'),
  fixture('the answer of a wait that succeeded', async ({ use }) => given(use(ofZero), 200)),
);

check('containers.wait.answers-200', { faults: [answersStatus(204, 200)] }, async ({ use }) => {
  expect(await use(ofZero)).toHaveStatus(200);
});

check('containers.wait.unknown-answers-404', { faults: [answersStatus(200, 404)] }, async (context) => {
  const { engine } = context;
  await control((await useCommon(context, succeeded)).wait(), 200);
  const missing = engine.unusedName('container');
  expect(await new Container(engine, missing, missing).wait()).toHaveStatus(404);
});

check('containers.wait.id-or-name', { faults: [knowsOnlyIdentifiers()] }, async ({ engine, use }) => {
  const areRight = ({ byId, byName }: { byId: Exchange; byName: Exchange }) => hasCode(byId, 3) && hasCode(byName, 3);
  const shared = ifRight(await ifThere(use(ofThree)), areRight, anotherTime, ({ byName }) => byName);
  if (shared) {
    for (const wait of [shared.byId, shared.byName]) expect(wait).field('StatusCode').toBe(3);
    return;
  }
  const { id, name } = await startedWith(engine, 7);
  for (const form of [id, name]) {
    const wait = await new Container(engine, form, name).wait();
    expect(wait).toHaveStatus(200);
    expect(wait).field('StatusCode').toBe(7);
  }
});

check(
  'containers.wait.blocks-until-stopped',
  { faults: [swallows(200, '{"StatusCode":0}')] },
  async ({ engine, use }) => {
    const shared = await ifThere(use(ofLater));
    const isLate = (one: { early: boolean }) => !one.early;
    const { early, wait } =
      ifRight(shared, isLate, anotherTime, (one) => one.wait) ?? (await waitForLater(engine, onKill));
    expectValue('whether wait answered before the container stopped', early, [wait]).toBe(false);
  },
);

check(
  'containers.wait.exit-code',
  { faults: [setsField('StatusCode', 1), setsFieldWhere('StatusCode', 255, 0)] },
  async ({ engine, use }) => {
    const shared = await ifThere(use(ofThree));
    const later = await ifThere(use(ofLater));
    const ended = (code: number) => async () => given((await startedWith(engine, code)).wait(), 200);
    const tried = [
      { code: 0, answer: await ifThere(use(ofZero)), alone: ended(0) },
      { code: 3, answer: shared?.byId, alone: ended(3) },
      // An engine may find the code of what has ended in another place than that of what ends.
      { code: 255, answer: later?.wait, alone: async () => (await waitForLater(engine, onSignal)).wait },
    ];
    for (const { code, answer, alone } of tried) {
      const wait = ifRight(answer, (one) => hasCode(one, code), anotherTime, itself) ?? (await alone());
      expect(wait).field('StatusCode').toBe(code);
    }
  },
);

check(
  'containers.wait.several-clients',
  { faults: [onRepeats(setsField('StatusCode', 0))], slowToFail: true },
  async ({ engine, use }) => {
    const areRight = ({ wait, beside }: { wait: Exchange; beside: Exchange }) =>
      hasCode(wait, 255) && hasCode(beside, 255);
    const shared = ifRight(await ifThere(use(ofLater)), areRight, anotherTime, ({ beside }) => beside);
    const alone = async () => Promise.all((await endingLater(engine, onSignal, 2)).waits);
    for (const answer of shared ? [shared.wait, shared.beside] : await alone()) {
      expect(answer).toHaveStatus(200);
      expect(answer).field('StatusCode').toBe(255);
    }
  },
);

check('containers.wait.stopped-at-once', { faults: [setsField('StatusCode', 0)] }, async ({ engine, use }) => {
  const byName = (await ifThere(use(ofThree)))?.byName;
  const shared = ifRight(byName, (one) => hasCode(one, 3), afterOthers, itself);
  if (shared) {
    expect(shared).field('StatusCode').toBe(3);
    return;
  }
  const container = await makeContainer(engine, { run: ['exit', '7'], state: 'exited' });
  const wait = await container.wait();
  expect(wait).toHaveStatus(200);
  expect(wait).field('StatusCode').toBe(7);
});

check('containers.wait.head-at-once', { faults: [holdsHead()] }, async (context) => {
  const container = await useCommon(context, idle);
  const live = await context.engine.open('POST', container.path('wait'), { boundMs: headMs });
  expect(live).toHaveStatus(200);
  // It would wait for the end of a container that others use.
  live.drop();
});

const knowsNoCondition: Fault = {
  name: 'answers 400 to a condition',
  request: (request) =>
    request.path.includes('condition=') ? { instead: { status: 400, headers: [], body: Buffer.alloc(0) } } : request,
};

check(
  'containers.wait.condition-not-running',
  { faults: [knowsNoCondition, setsField('StatusCode', 0)] },
  async ({ engine }) => {
    const container = await makeContainer(engine, { run: ['exit', '7'], state: 'exited' });
    const wait = await container.wait({ query: { condition: 'not-running' } });
    expect(wait).toHaveStatus(200);
    expect(wait).field('StatusCode').toBe(7);
  },
);

/** Waits for a condition; the head of the answer has arrived, its body is not read yet. */
function openWait(engine: Engine, container: Container, condition: string): Promise<LiveExchange> {
  return engine.open('POST', container.path('wait'), { query: { condition } });
}

async function wholeOf(engine: Engine, live: LiveExchange): Promise<Exchange> {
  const { id, request, status } = live;
  return new Exchange(id, request, { status, headers: [], body: await live.rest() }, engine.target.dialect);
}

check('containers.wait.condition-next-exit', { faults: [ignoresQuery('condition')] }, async ({ engine }) => {
  const container = await makeContainer(engine, { run: ['exit', '7'], network: 'any' });
  const live = await openWait(engine, container, 'next-exit');
  expect(live).toHaveStatus(200);
  await given(container.start(), 204);
  expect(await wholeOf(engine, live))
    .field('StatusCode')
    .toBe(7);
});

check('containers.wait.condition-removed', { faults: [ignoresQuery('condition')] }, async ({ engine }) => {
  const container = await makeContainer(engine, { run: ['exit', '7'], state: 'exited' });
  const live = await openWait(engine, container, 'removed');
  expect(live).toHaveStatus(200);
  let answered = false;
  const waiting = wholeOf(engine, live).finally(() => {
    answered = true;
  });
  // A wait for a weaker condition has answered when the container has ended once more.
  await given(container.start(), 204);
  await container.hasEnded();
  await given(container.inspect(), 200);
  const early = answered;
  await given(container.remove(), 204);
  const wait = await settled(waiting, 'wait');
  expectValue('whether wait answered before the container was removed', early, [wait]).toBe(false);
  expect(wait).field('StatusCode').toBe(7);
});

check('containers.wait.created', { faults: [] }, async (context) => {
  const container = await useCommon(context, created);
  const wait = await container.wait({ boundMs: 1_000 });
  observe(`answers ${wait.status} at once`, wait);
});
