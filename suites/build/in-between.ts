import { type CheckContext, check, type Fixture, fixture } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { given } from '../../harness/engine/given.ts';
import { lookUntil } from '../../harness/engine/look-until.ts';
import type { Query } from '../../harness/engine/query.ts';
import { expectValue } from '../../harness/expect/expect.ts';
import { readsInBody, refuses } from '../../harness/faults/bodies.ts';
import type { Fault } from '../../harness/faults/fault.ts';
import { ignoresQuery, knowsOnly, takesQueryAs } from '../../harness/faults/requests.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { isObject } from '../../harness/streams/json-path.ts';
import { currentJudgement } from '../../harness/verdict/judgement.ts';
import { Blocked } from '../../harness/verdict/outcomes.ts';
import { isList } from '../support/known-answer.ts';
import { ifThere } from '../support/shared-results.ts';
import { no, type Spelling, yes } from '../support/spellings.ts';
import {
  areThere,
  buildAgain,
  buildOf,
  cachedOnce,
  hasFailed,
  isThere,
  labelling,
  type Own,
  outputOf,
  own,
  says,
} from './support/building.ts';

/** A mark that only the RUN commands of one build contain. */
function markOf({ label }: Own): string {
  return `${label.split('=')[1] ?? label}-mark`;
}

type Ends = 'well' | 'badly';

type Context = Pick<CheckContext, 'engine' | 'use'>;

/** A build that has ended. */
interface Built {
  readonly made: Own;
  readonly answer: Exchange;
}

/** The containers that a build left, and the exchanges that show it. */
interface After extends Built {
  readonly left: readonly string[];
  readonly evidence: readonly Exchange[];
}

/** How long an engine may take to remove containers once a build has ended, as nothing says that they go before. */
const removedMs = 10_000;

async function containerList(engine: Engine): Promise<Exchange> {
  const list = await given(engine.get('/containers/json', { all: true }), 200);
  await isList(list);
  return list;
}

/** The containers that a build left: they have the label of its image, or else run its instructions. */
function leftIn(engine: Engine, list: Exchange, made: Own): string[] {
  const [key = '', value] = made.label.split('=');
  const isLeft = ({ Labels, Command }: Readonly<Record<string, JsonValue>>) =>
    (isObject(Labels) && Labels[key] === value) || String(Command).includes(markOf(made));
  const items = Array.isArray(list.json) ? list.json.filter(isObject).filter(isLeft) : [];
  const ids = items.map(({ Id }) => String(Id));
  for (const id of ids) engine.made({ kind: 'container', name: id, id });
  return ids;
}

/** A build that runs something. @throws Blocked when it did not end as intended */
async function buildThat(engine: Engine, made: Own, ends: Ends, query: Query): Promise<Exchange> {
  const ran = says('ec-ran', 'err', markOf(made), ...(ends === 'badly' ? ['exit', '7'] : []));
  const answer = await given(buildOf(engine, made, [labelling(made), ran], query), 200);
  if (!outputOf(answer).includes('ec-ran')) notReached('the build did not run its instruction', answer);
  if (ends === 'badly' && !hasFailed(answer)) notReached('the build did not fail', answer);
  return answer;
}

/** What builds left, looking until that is as it should be or a bound runs out. */
async function leftBy(
  engine: Engine,
  built: readonly Built[],
  isSettled: (seen: readonly After[]) => boolean,
): Promise<readonly After[]> {
  const look = async () => {
    const list = await containerList(engine);
    return built.map(({ made, answer }) => {
      return { made, answer, left: leftIn(engine, list, made), evidence: [answer, list] };
    });
  };
  return lookUntil(look, isSettled, removedMs);
}

function isNoneLeft(seen: readonly After[]): boolean {
  return seen.every(({ left }) => left.length === 0);
}

function isSameLeft([first, ...others]: readonly After[]): boolean {
  return others.every(({ left }) => left.length === first?.left.length);
}

/** One such build. */
async function buildOnce(engine: Engine, ends: Ends, query: Query): Promise<Built> {
  const made = own(engine);
  const answer = await buildThat(engine, made, ends, query);
  if (ends === 'well') await isThere(engine, made.name, answer);
  return { made, answer };
}

/** @throws Blocked with the build that did not do what the check needs */
function notReached(reason: string, build: Exchange): never {
  currentJudgement().judged([build.id]);
  throw new Blocked(reason);
}

type Flags = Readonly<Record<string, string>>;

/** The queries of all builds that end well or badly, whose containers are looked for at once. */
const queries: Readonly<Record<Ends, Readonly<Record<'none' | 'any', readonly Flags[]>>>> = {
  well: { none: [{}, ...yes.map((rm) => ({ rm })), { rm: '0', forcerm: '1' }], any: no.map((rm) => ({ rm })) },
  badly: { none: yes.map((forcerm) => ({ forcerm })), any: no.map((forcerm) => ({ forcerm })) },
};

/**
 * The builds one after another, and one look at the images and containers for all, which saves two for each. Those that
 * must leave nothing have had the time to.
 */
function builtTogether(ends: Ends): Fixture<ReadonlyMap<string, After>> {
  return fixture(`what builds leave that end ${ends}`, async ({ engine }) => {
    const { none, any } = queries[ends];
    const asked = [...none, ...any];
    const built: Built[] = [];
    for (const query of asked) {
      const made = own(engine);
      built.push({ made, answer: await buildThat(engine, made, ends, query) });
    }
    if (ends === 'well') {
      await areThere(
        engine,
        built.map(({ made }) => made.name),
      );
    }
    const seen = await leftBy(engine, built, (all) => isNoneLeft(all.slice(0, none.length)));
    return new Map(seen.map((after, place) => [JSON.stringify(asked[place]), after]));
  });
}

const together = { well: builtTogether('well'), badly: builtTogether('badly') };

/** What a build left, by the shared builds. */
async function afterShared({ use }: Context, ends: Ends, query: Flags): Promise<After | undefined> {
  return (await ifThere(use(together[ends])))?.get(JSON.stringify(query));
}

async function expectNoneLeft(context: Context, ends: Ends, query: Flags): Promise<void> {
  const { engine } = context;
  const shared = await afterShared(context, ends, query);
  // What all builds do may fail because of another one.
  const seen = shared ? [shared] : await leftBy(engine, [await buildOnce(engine, ends, query)], isNoneLeft);
  for (const { left, evidence } of seen) {
    expectValue('the number of containers that the build left', left.length, evidence).toBe(0);
  }
}

const unlabelled = readsInBody('LABEL ec.build=', 'LABEL ec.other=');

/** The same fault, where the containers do not have the label of the build. */
function withoutLabels(fault: Fault): Fault {
  return {
    name: `${fault.name}, and labels no containers`,
    request: (request) => {
      const changed = fault.request?.(request) ?? request;
      return 'instead' in changed ? changed : (unlabelled.request?.(changed) ?? changed);
    },
  };
}

check(
  'images.build.parameter.rm-default',
  { faults: [takesQueryAs('rm', '0'), withoutLabels(takesQueryAs('rm', '0'))], slowToFail: true },
  async (context) => {
    await expectNoneLeft(context, 'well', {});
  },
);

const keeps = [takesQueryAs('rm', '0'), withoutLabels(takesQueryAs('rm', '0'))];

check('images.build.parameter.rm-true', { faults: keeps, slowToFail: true }, async (context) => {
  await expectNoneLeft(context, 'well', { rm: '1' });
});

const leaves = [ignoresQuery('forcerm'), withoutLabels(ignoresQuery('forcerm'))];

check('images.build.parameter.forcerm-failure', { faults: leaves, slowToFail: true }, async (context) => {
  await expectNoneLeft(context, 'badly', { forcerm: '1' });
});

check(
  'images.build.parameter.forcerm-success',
  { faults: [ignoresQuery('forcerm')], slowToFail: true },
  async (context) => {
    // forcerm includes rm, whatever rm itself says.
    await expectNoneLeft(context, 'well', { rm: '0', forcerm: '1' });
  },
);

const refusesSpelling = (parameter: string, spelling: string) =>
  refuses(`${parameter}=${spelling}`, ({ path }) => new RegExp(`[?&]${parameter}=${spelling}(?:&|$)`).test(path));

/** Judges that every spelling of true leaves no containers, and that all spellings of false have the same effect. */
async function expectSpellings(context: Context, ends: Ends, parameter: 'rm' | 'forcerm'): Promise<void> {
  const { engine } = context;
  for (const spelling of yes) await expectNoneLeft(context, ends, { [parameter]: spelling });
  const shared: After[] = [];
  const built: Built[] = [];
  for (const spelling of no) {
    const query = { [parameter]: spelling };
    const after = await afterShared(context, ends, query);
    if (after) shared.push(after);
    built.push(after ?? (await buildOnce(engine, ends, query)));
  }
  const isKnown = shared.length === no.length && isSameLeft(shared);
  const [first, ...others] = isKnown ? shared : await leftBy(engine, built, isSameLeft);
  const count = first?.left.length ?? 0;
  // That containers stay is implied but not stated.
  currentJudgement().notes.push(`${parameter}=${no[0]} leaves ${count} containers`);
  for (const [place, { left, evidence }] of others.entries()) {
    const all = [...(first?.evidence ?? []), ...evidence];
    expectValue(`the number of containers with ${parameter}=${no[place + 1]}`, left.length, all).toBe(count);
  }
}

check(
  'images.build.rm-spellings',
  { faults: [knowsOnly('rm', '1', 'True', 'true', '0'), takesQueryAs('rm', '0')], slowToFail: true },
  (context) => expectSpellings(context, 'well', 'rm'),
);

check(
  'images.build.forcerm-spellings',
  {
    faults: [knowsOnly('forcerm', '1', '0', 'False', 'false'), knowsOnly('forcerm', 'True', '0', 'False', 'false')],
    slowToFail: true,
  },
  (context) => expectSpellings(context, 'badly', 'forcerm'),
);

/** The output of a build of one label, with one way to spell `q`. */
interface Output {
  readonly answer: Exchange;
  readonly size: number;
}

async function outputWith(engine: Engine, q: string): Promise<Output> {
  const made = own(engine);
  const answer = await given(buildOf(engine, made, [], { q }), 200);
  await isThere(engine, made.name, answer);
  return { answer, size: outputOf(answer).length };
}

/** The outputs with all spellings, and one look at the images for all, which saves one for each. */
async function outputsWith(engine: Engine, spellings: readonly string[]): Promise<ReadonlyMap<string, Output>> {
  const outputs = new Map<string, Output>();
  const names: string[] = [];
  for (const q of spellings) {
    const made = own(engine);
    const answer = await given(buildOf(engine, made, [], { q }), 200);
    names.push(made.name);
    outputs.set(q, { answer, size: outputOf(answer).length });
  }
  await areThere(engine, names);
  return outputs;
}

check(
  'images.build.q-spellings',
  { faults: [knowsOnly('q', '1'), knowsOnly('q', 'True', 'true'), takesQueryAs('q', '1')] },
  async ({ engine }) => {
    const outputs = await ifThere(outputsWith(engine, [...no, ...yes]));
    const sizeWith = async (q: string) => outputs?.get(q) ?? (await outputWith(engine, q));
    const long = await sizeWith(no[0]);
    const short = await sizeWith(yes[0]);
    const both = [long.answer, short.answer];
    expectValue(`the characters of output with q=${yes[0]}`, short.size, both).toBeAtMost(long.size - 1);
    const middle = (long.size + short.size) / 2;
    for (const q of no.slice(1)) {
      const { answer, size } = await sizeWith(q);
      expectValue(`the characters of output with q=${q}`, size, [short.answer, answer]).toBeAtLeast(middle);
    }
    for (const q of yes.slice(1)) {
      const { answer, size } = await sizeWith(q);
      expectValue(`the characters of output with q=${q}`, size, [long.answer, answer]).toBeAtMost(middle - 1);
    }
  },
);

check(
  'images.build.nocache-spellings',
  {
    // As for `nocache-true`, no one else may remove images meanwhile.
    exclusive: true,
    faults: [knowsOnly('nocache', '1'), knowsOnly('nocache', 'True', 'true'), refusesSpelling('nocache', 'False')],
  },
  async (context) => {
    const { made, answer: first } = await cachedOnce(context);
    const runs = async (nocache: Spelling) => {
      const answer = await buildAgain(context.engine, { made, tag: nocache, nocache });
      return { answer, ran: outputOf(answer).includes('ec-ran') };
    };
    const usual = await runs(no[0]);
    for (const nocache of no.slice(1)) {
      const { answer, ran } = await runs(nocache);
      expectValue(`whether nocache=${nocache} fails`, hasFailed(answer), [first, answer]).toBe(false);
      expectValue(`whether nocache=${nocache} runs it again`, ran, [usual.answer, answer]).toBe(usual.ran);
    }
    for (const nocache of yes) {
      const { answer, ran } = await runs(nocache);
      expectValue(`whether nocache=${nocache} runs it again`, ran, [first, answer]).toBe(true);
    }
  },
);
