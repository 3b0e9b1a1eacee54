import { check, checkRule, fixture } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import type { LiveExchange } from '../../harness/engine/live-exchange.ts';
import { lookUntil } from '../../harness/engine/look-until.ts';
import { countObjects } from '../../harness/engine/objects.ts';
import { outputWith } from '../../harness/engine/output.ts';
import { filters } from '../../harness/engine/query.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { expectField } from '../../harness/expect/field-rule.ts';
import { answersBody, answersStatus, dropsHeader } from '../../harness/faults/answers.ts';
import { readsInBody } from '../../harness/faults/bodies.ts';
import { type Fault, on } from '../../harness/faults/fault.ts';
import { dropsField, retypesField, setsField } from '../../harness/faults/fields.ts';
import { changesObjects, inEachObject, separatesObjects } from '../../harness/faults/objects.ts';
import { ignoresQuery } from '../../harness/faults/requests.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';
import { objectsHoldText } from '../../harness/streams/text.ts';
import { Blocked, NotApplicable } from '../../harness/verdict/outcomes.ts';
import { answerOf } from '../support/done-once.ts';
import { hidesErrors } from '../support/error-objects.ts';
import { fieldRulesOf } from '../support/field-checks.ts';
import {
  buildMs,
  buildOf,
  builds,
  contextWith,
  expectFailure,
  expectImage,
  fileOf,
  hasFailed,
  idOf,
  isThere,
  labelledOnce,
  labelling,
  type Own,
  objectsOf,
  outputOf,
  own,
  run,
  says,
  tarHeaders,
} from './support/building.ts';

/** Nothing in its answer is judged yet. */
export const asked = fixture('the answer to a build', async ({ engine }) => {
  const made = own(engine);
  return { made, answer: await buildOf(engine, made, [says('ec-said')]) };
});

/** @throws Blocked when there is no image */
const built = fixture('the output of a build', async ({ engine, use }) => {
  const { made, answer } = await use(asked);
  await given(Promise.resolve(answer), 200);
  return { answer, inspect: await isThere(engine, made.name, answer) };
});

/** The control is the other build, which succeeds. */
const failing = fixture('a build that fails', async ({ engine, use }) => {
  await control(
    use(built).then(({ answer }) => answer),
    200,
  );
  const made = own(engine);
  return { made, answer: await buildOf(engine, made, [run('exit', '7')]) };
});

const askedToFail = fixture('the answer to a build that fails', async ({ use }) => (await use(failing)).answer);

const failed = fixture('the output of a build that fails', ({ use }) => given(use(askedToFail), 200));

for (const rule of fieldRulesOf('images.build.field.')) {
  const { path, schema } = rule.field;
  const retyped = retypesField(path, schema);
  checkRule(rule, { faults: retyped ? [inEachObject(retyped)] : [] }, async ({ use }) => {
    const answer = path.startsWith('error') ? await use(failed) : (await use(built)).answer;
    const holding = objectsOf(answer).filter((object) => valuesAt(object, path).length > 0);
    if (holding.length === 0) throw new NotApplicable(`no object of the output has ${path}, and it need not`);
    expectField(answer.narrowedTo(holding), rule);
  });
}

check('images.build.error-message', { faults: [inEachObject(dropsField('errorDetail.message'))] }, async ({ use }) => {
  const answer = await use(failed);
  const details = objectsOf(answer).flatMap((object) => valuesAt(object, 'errorDetail'));
  if (details.length === 0) throw new NotApplicable('no object of the output has errorDetail, which has its own rule');
  for (const detail of details) {
    expectValue('errorDetail', detail, [answer]).toSatisfy('an object with a message', () => {
      return isObject(detail) && typeof detail.message === 'string';
    });
  }
});

check('images.build.answers-200', { faults: [answersStatus(201, 200)] }, async ({ engine, use }) => {
  const { made, answer } = await use(asked);
  await isThere(engine, made.name, answer);
  expect(answer).toHaveStatus(200);
});

check('images.build.makes-image', { faults: [ignoresQuery('t')] }, async ({ engine, use }) => {
  const { made, answer } = await use(asked);
  await given(Promise.resolve(answer), 200);
  await expectImage(engine, made.name, answer);
});

check('images.build.media-type', { faults: [dropsHeader('Content-Type')] }, async (context) => {
  const labelled = labelledOnce(context);
  const answer = await given(answerOf(labelled), 200);
  await isThere(context.engine, (await labelled).made.name, answer);
  expect(answer).toHaveMediaType('application/json');
});

check('images.build.objects-in-a-row', { faults: [separatesObjects(',')] }, async ({ use }) => {
  const { answer } = await use(built);
  expectValue('the number of objects', countObjects(answer.answer.body), [answer]).toBeAtLeast(1);
});

/** The images and containers, including intermediate ones, that have the label of a build. */
async function labelledBy(engine: Engine, { label }: Own): Promise<{ count: number; evidence: Exchange[] }> {
  const query = { all: true, filters: filters({ label: [label] }) };
  const containers = await given(engine.get('/containers/json', query), 200);
  const images = await given(engine.get('/images/json', query), 200);
  const evidence = [containers, images];
  return { count: evidence.flatMap(({ json }) => (Array.isArray(json) ? json : [])).length, evidence };
}

/** Runs the instructions before the wrong one, and only then answers 500. */
const refusesLate: Fault = {
  ...readsInBody('EC-NO-WORD ec.a=b', 'COPY ec-none /xyz'),
  name: 'answers 500 once it has run the instructions before',
  head: (head, { body }) => (/EC-NO-WORD|ec-none/.test(String(body)) ? { ...head, status: 500 } : head),
};

check(
  'images.build.syntax-first',
  { faults: [readsInBody('EC-NO-WORD ec.a=b', 'LABEL      ec.a=b'), refusesLate] },
  async ({ engine }) => {
    const [made, other] = [own(engine), own(engine)];
    await builds(engine, made, buildOf(engine, made, [labelling(made), says('ec-ran'), 'LABEL ec.a=b']));
    const answer = await buildOf(engine, other, [labelling(other), says('ec-ran'), 'EC-NO-WORD ec.a=b'], { rm: false });
    expectFailure(answer);
    const output = answer.status >= 400 ? '' : outputOf(answer);
    expectValue('the output of the build', output, [answer]).toLack('ec-ran');
    const { count, evidence } = await labelledBy(engine, other);
    expectValue('the containers and images of the instructions before', count, [answer, ...evidence]).toBe(0);
  },
);

check('images.build.in-order', { faults: [readsInBody('\\n1', '\\n3')] }, async ({ engine }) => {
  const made = own(engine);
  const appends = ['0', '\\n1', '\\n2'].map((text) => run('append', '/ec-order', text));
  const answer = await given(buildOf(engine, made, appends), 200);
  await isThere(engine, made.name, answer);
  const { stdout, evidence } = await outputWith(engine, {
    run: ['read', '/ec-order'],
    config: { Image: made.name },
    network: 'any',
  });
  expectValue('what the instructions wrote one after another', stdout, [answer, evidence]).toBe('0\n1\n2');
});

const namesImage = (object: unknown) => /[0-9a-f]{12}/.test(JSON.stringify(object));

check(
  'images.build.gives-id',
  { faults: [changesObjects('names no image', (object) => (namesImage(object) ? undefined : object))] },
  async ({ use }) => {
    const { answer, inspect } = await use(built);
    const id = idOf(inspect).slice(0, 12);
    // What follows the identifier may say how the image was named.
    const end = objectsOf(answer).slice(-3);
    expectValue('the end of the output', JSON.stringify(end), [inspect, answer]).toContain(id);
  },
);

check(
  'images.build.aux',
  {
    faults: [
      changesObjects('sends no aux', (object) => (isObject(object) && 'aux' in object ? undefined : object)),
      inEachObject(setsField('aux.ID', `sha256:${'0'.repeat(64)}`)),
    ],
  },
  async ({ use }) => {
    const { answer, inspect } = await use(built);
    const objects = objectsOf(answer);
    const place = objects.findLastIndex((object) => valuesAt(object, 'aux.ID').length > 0);
    const id = String(valuesAt(objects[place] ?? null, 'aux.ID')[0]).replace(/^sha256:/, '');
    expectValue('the ID of the last aux', id, [inspect, answer]).toBe(idOf(inspect));
    const after = objects.slice(place + 1).filter(({ stream }) => typeof stream === 'string');
    expectValue('the number of lines after it', after.length, [answer]).toBeAtLeast(1);
  },
);

/** An aux member in the objects of a quiet build. */
const tellsAux = changesObjects('sends aux', (object) => (isObject(object) ? { ...object, aux: { ID: '' } } : object));

check('images.build.aux-quiet', { faults: [tellsAux] }, async ({ engine }) => {
  const made = own(engine);
  const answer = await given(buildOf(engine, made, [], { q: true }), 200);
  await isThere(engine, made.name, answer);
  const objects = objectsOf(answer).filter((object) => 'aux' in object);
  expectValue('the number of objects with aux', objects.length, [answer]).toBe(0);
});

check('images.build.id-format', { faults: [] }, async ({ use }) => {
  const { answer, inspect } = await use(built);
  const id = idOf(inspect);
  const forms = objectsOf(answer)
    .map((object) => JSON.stringify(object).replaceAll(id, 'ID').replaceAll(id.slice(0, 12), 'ID cut to 12'))
    .filter((text) => text.includes('ID'));
  observe(`the identifier is in ${[...new Set(forms)].join(' and ')}`, inspect, answer);
});

const namesFailed = on('GET /images/{name}/json', answersStatus(200, 404));

check('images.build.error-in-stream', { faults: [...hidesErrors, namesFailed] }, async ({ engine, use }) => {
  const { made, answer } = await use(failing);
  expect(answer).toHaveStatus(200);
  expectValue('whether its output has an error', hasFailed(answer), [answer]).toBe(true);
  expect(await engine.get(`/images/${made.name}/json`)).toHaveStatus(404);
});

check('images.build.error-code', { faults: [inEachObject(setsField('errorDetail.code', 1))] }, async ({ use }) => {
  const answer = await use(failed);
  const codes = objectsOf(answer).flatMap((object) => valuesAt(object, 'errorDetail.code'));
  expectValue('the code of the error', codes[0], [answer]).toBe(7);
});

/** A build whose client disconnects runs at least this long after its first line. */
const runsMs = 1_500;

/** How long a daemon may take to end what a cancelled build runs: more than it may give a process to end by itself. */
const endedMs = 20_000;
/** A RUN takes this long by itself: it is not left running where the daemon does not show its container. */
const longMs = 40_000;

type Opens = (made: Own, ...steps: readonly string[]) => Promise<LiveExchange>;

/** The running containers of a RUN that has the label of its build among its steps; they are removed in the end. */
async function runningOf(engine: Engine, { label }: Own): Promise<{ ids: readonly string[]; list: Exchange }> {
  const list = await given(engine.get('/containers/json'), 200);
  const items = Array.isArray(list.json) ? list.json.filter(isObject) : [];
  const ids = items.filter(({ Command }) => String(Command).includes(label)).map(({ Id }) => String(Id));
  for (const id of ids) engine.made({ kind: 'container', name: id, id });
  return { ids, list };
}

/** After this time without output, the list of containers is asked whether a RUN has begun. */
const silentMs = 1_000;
const shownMs = 10_000;

/**
 * Waits until the RUN of a build runs, which its output tells, or where that comes with the end of the build, its container.
 * @throws Blocked when the build is over by then
 * @throws TransportError when nothing shows that it runs
 */
async function untilRuns(engine: Engine, made: Own, live: LiveExchange): Promise<void> {
  const isTold = () => objectsHoldText(live.received, 'ec-runs');
  if (!(await live.satisfiesWithin(silentMs, isTold))) {
    const isShown = async () => (await runningOf(engine, made)).ids.length > 0;
    const runs = await lookUntil(isShown, (shown) => shown || isTold() || live.ended, shownMs);
    if (!runs) await live.receivedUntil('the output of RUN', isTold);
  }
  if (live.ended) throw new Blocked('the build was over before its client could go');
}

/**
 * Judges that a build does not go on with a RUN that takes long: until that has ended, the build has not.
 * @returns the build, which a daemon that does not show its container may still go on with
 */
async function expectRunEnded(engine: Engine, open: Opens): Promise<Own> {
  const made = own(engine);
  const look = () => runningOf(engine, made);
  const live = await open(made, 'err', made.label, 'sleep', `${longMs}`);
  try {
    await untilRuns(engine, made, live);
  } finally {
    // Also what is not judged any more must not be left running.
    await look();
    live.drop();
  }
  const { ids, list } = await lookUntil(look, (seen) => seen.ids.length === 0, endedMs);
  expectValue('the running containers of the dropped build', ids.length, [list]).toBe(0);
  return made;
}

/** Judges that a dropped build runs no further instruction. */
async function expectNoMore(engine: Engine, open: Opens, dropped: Own): Promise<void> {
  const asked = performance.now();
  await given(engine.get('/_ping'), 200);
  // On a slow daemon the first line comes late, too.
  const sleepMs = Math.ceil(runsMs + 3 * (performance.now() - asked));
  const kept = own(engine);
  const live = await open(dropped, 'err', dropped.label, 'sleep', `${sleepMs}`);
  await untilRuns(engine, dropped, live);
  live.drop();
  // A build that starts later and is not dropped shows when the dropped one would have ended.
  const whole = await open(kept, 'sleep', `${sleepMs}`);
  await isThere(engine, kept.name, await whole.whole());
  expect(await engine.get(`/images/${dropped.name}/json`)).toHaveStatus(404);
  // The instruction after the RUN has not been run either, with a name or without.
  const { count, evidence } = await labelledBy(engine, dropped);
  expectValue('the images that the dropped build went on to make', count, evidence).toBe(0);
}

check(
  'images.build.cancelled-when-dropped',
  {
    long: true,
    slowToFail: true,
    faults: [
      { name: 'goes on when the client drops the connection', ignoresDrop: true },
      on('GET /images/{name}/json', answersStatus(200, 404)),
      // It still builds, and merely does not tag.
      on('GET /images/json', answersBody('[{"Id":"another","RepoTags":[]}]')),
    ],
  },
  async ({ engine }) => {
    const open: Opens = async (made, ...steps) => {
      const body = await contextWith(engine, fileOf(engine, made, says('ec-runs', ...steps), labelling(made)));
      const query = { t: made.name, nocache: true };
      return given(engine.open('POST', '/build', { body, headers: tarHeaders, query, takesMs: buildMs }), 200);
    };
    const long = await expectRunEnded(engine, open);
    const dropped = own(engine);
    try {
      await expectNoMore(engine, open, dropped);
    } catch (error) {
      const isMade = async ({ name }: Own) => (await engine.get(`/images/${name}/json`)).status === 200;
      // Then the other build may go on, too; what it makes is removed once it is there.
      if (await isMade(dropped)) await lookUntil(() => isMade(long), Boolean, longMs);
      throw error;
    }
  },
);
