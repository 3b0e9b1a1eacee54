import { check } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
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
import { no, yes } from '../support/spellings.ts';
import { buildOf, hasFailed, isThere, labelling, type Own, outputOf, own, run, says } from './support/building.ts';

/** A mark that only the RUN commands of one build contain. */
function markOf({ label }: Own): string {
  return `${label.split('=')[1] ?? label}-mark`;
}

/** The containers that a build left: they have the label of its image, or else run its instructions. */
async function leftBy(engine: Engine, made: Own): Promise<{ ids: string[]; list: Exchange }> {
  const list = await given(engine.get('/containers/json', { all: true }), 200);
  await isList(list);
  const [key = '', value] = made.label.split('=');
  const isLeft = ({ Labels, Command }: Readonly<Record<string, JsonValue>>) =>
    (isObject(Labels) && Labels[key] === value) || String(Command).includes(markOf(made));
  const items = Array.isArray(list.json) ? list.json.filter(isObject).filter(isLeft) : [];
  const ids = items.map(({ Id }) => String(Id));
  for (const id of ids) engine.made({ kind: 'container', name: id, id });
  return { ids, list };
}

/** A build that ran something, and the containers that it left. @throws Blocked when it did not end as intended */
async function afterBuild(
  engine: Engine,
  ends: 'well' | 'badly',
  query: Query,
): Promise<{ left: string[]; evidence: Exchange[] }> {
  const made = own(engine);
  const ran = run('out', '\\x65c-ran\\n', 'err', markOf(made));
  const fails = run('err', markOf(made), 'exit', '7');
  const instructions = [labelling(made), ran, ...(ends === 'badly' ? [fails] : [])];
  const answer = await given(buildOf(engine, made, instructions, query), 200);
  if (!outputOf(answer).includes('ec-ran')) notReached('the build did not run its instructions', answer);
  if (ends === 'well') await isThere(engine, made.name);
  else if (!hasFailed(answer)) notReached('the build did not fail', answer);
  const { ids, list } = await leftBy(engine, made);
  return { left: ids, evidence: [answer, list] };
}

/** @throws Blocked with the build that did not do what the check needs */
function notReached(reason: string, build: Exchange): never {
  currentJudgement().judged([build.id]);
  throw new Blocked(reason);
}

async function expectNoneLeft(engine: Engine, ends: 'well' | 'badly', query: Query): Promise<void> {
  const { left, evidence } = await afterBuild(engine, ends, query);
  expectValue('the number of containers that the build left', left.length, evidence).toBe(0);
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
  { faults: [takesQueryAs('rm', '0'), withoutLabels(takesQueryAs('rm', '0'))] },
  async ({ engine }) => {
    await expectNoneLeft(engine, 'well', {});
  },
);

const keeps = [takesQueryAs('rm', '0'), withoutLabels(takesQueryAs('rm', '0'))];

check('images.build.parameter.rm-true', { faults: keeps }, async ({ engine }) => {
  await expectNoneLeft(engine, 'well', { rm: true });
});

const leaves = [ignoresQuery('forcerm'), withoutLabels(ignoresQuery('forcerm'))];

check('images.build.parameter.forcerm-failure', { faults: leaves }, async ({ engine }) => {
  await expectNoneLeft(engine, 'badly', { forcerm: true });
});

check('images.build.parameter.forcerm-success', { faults: [ignoresQuery('forcerm')] }, async ({ engine }) => {
  // forcerm includes rm, whatever rm itself says.
  await expectNoneLeft(engine, 'well', { rm: false, forcerm: true });
});

const refusesSpelling = (parameter: string, spelling: string) =>
  refuses(`${parameter}=${spelling}`, ({ path }) => new RegExp(`[?&]${parameter}=${spelling}(?:&|$)`).test(path));

/** Judges that every spelling of true leaves no containers, and that all spellings of false have the same effect. */
async function expectSpellings(engine: Engine, ends: 'well' | 'badly', parameter: string): Promise<void> {
  for (const spelling of yes) await expectNoneLeft(engine, ends, { [parameter]: spelling });
  const [first, ...others] = no;
  const before = await afterBuild(engine, ends, { [parameter]: first });
  // That containers stay is implied but not stated.
  currentJudgement().notes.push(`${parameter}=${first} leaves ${before.left.length} containers of two instructions`);
  for (const spelling of others) {
    const { left, evidence } = await afterBuild(engine, ends, { [parameter]: spelling });
    const all = [...before.evidence, ...evidence];
    expectValue(`the number of containers with ${parameter}=${spelling}`, left.length, all).toBe(before.left.length);
  }
}

check(
  'images.build.rm-spellings',
  { faults: [knowsOnly('rm', '1', 'True', 'true', '0'), takesQueryAs('rm', '0')] },
  ({ engine }) => expectSpellings(engine, 'well', 'rm'),
);

check(
  'images.build.forcerm-spellings',
  { faults: [knowsOnly('forcerm', '1', '0', 'False', 'false'), knowsOnly('forcerm', 'True', '0', 'False', 'false')] },
  ({ engine }) => expectSpellings(engine, 'badly', 'forcerm'),
);

check(
  'images.build.q-spellings',
  { faults: [knowsOnly('q', '1'), knowsOnly('q', 'True', 'true'), takesQueryAs('q', '1')] },
  async ({ engine }) => {
    const sizeWith = async (q: string) => {
      const made = own(engine);
      const answer = await given(buildOf(engine, made, [], { q }), 200);
      await isThere(engine, made.name);
      return { answer, size: outputOf(answer).length };
    };
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
  async ({ engine }) => {
    const made = own(engine);
    const instructions = [labelling(made), says('ec-ran')];
    const first = await control(buildOf(engine, made, instructions, { nocache: '0' }), 200);
    await isThere(engine, made.name);
    const runs = async (nocache: string) => {
      const answer = await buildOf(engine, made, instructions, { nocache });
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
