import { check } from '../../harness/check.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expectValue, observe } from '../../harness/expect/expect.ts';
import type { Fault } from '../../harness/faults/fault.ts';
import { ignoresQuery } from '../../harness/faults/requests.ts';
import { Blocked } from '../../harness/verdict/outcomes.ts';
import { answerOf } from '../support/done-once.ts';
import { hidesErrorsWith } from '../support/error-objects.ts';
import { asked } from './answer.ts';
import {
  build,
  buildAgain,
  buildOf,
  cachedOnce,
  contextWith,
  expectFailure,
  expectImage,
  expectLabel,
  file,
  fileOf,
  idOf,
  isThere,
  labelledOnce,
  outputOf,
  own,
  run,
  says,
} from './support/building.ts';

/** Gives the image other names than `t` says. */
function namesOtherwise(name: string, change: (names: string[]) => string[]): Fault {
  return {
    name,
    request: (request) => {
      const [path = '', search = ''] = request.path.split('?');
      const query = new URLSearchParams(search);
      const names = change(query.getAll('t'));
      query.delete('t');
      for (const one of names) query.append('t', one);
      return { ...request, path: `${path}?${query.toString()}` };
    },
  };
}

check('images.build.parameter.dockerfile', { faults: [ignoresQuery('dockerfile')] }, async ({ engine }) => {
  const made = own(engine);
  const other = file('ec-dir/ec-other', fileOf(engine, made, 'LABEL ec.from=other'));
  const context = await contextWith(engine, fileOf(engine, made, 'LABEL ec.from=default'), other);
  const built = await build(engine, context, { t: made.name, dockerfile: 'ec-dir/ec-other' });
  await expectLabel(engine, made.name, built, ['ec.from', 'other']);
});

check('images.build.parameter.t-name', { faults: [ignoresQuery('t')] }, async (context) => {
  const labelled = labelledOnce(context);
  const answer = await given(answerOf(labelled), 200);
  await expectImage(context.engine, (await labelled).made.name, answer);
});

check(
  'images.build.parameter.t-default-latest',
  {
    faults: [
      namesOtherwise('tags with the time', (names) => names.map((name) => `${name}:20240101`)),
      namesOtherwise('takes what follows the first colon for the tag', (names) =>
        names.map((name) => name.split(/[:/]/).slice(0, 2).join(':')),
      ),
    ],
  },
  async ({ engine }) => {
    // The port of a registry is no tag.
    const repository = `registry.invalid:5000/${engine.name('image')}`;
    engine.made({ kind: 'image', name: `${repository}:latest` });
    const answer = await given(buildOf(engine, { name: repository, label: `ec.build=${repository}` }, []), 200);
    await expectImage(engine, `${repository}:latest`, answer);
  },
);

check(
  'images.build.parameter.t-repeated',
  {
    faults: [
      namesOtherwise('takes the first t alone', (names) => names.slice(0, 1)),
      namesOtherwise('takes the last t alone', (names) => names.slice(-1)),
    ],
  },
  async ({ engine }) => {
    const [first, second] = [own(engine), own(engine)];
    const context = await contextWith(engine, fileOf(engine, first));
    const answer = await given(build(engine, context, { t: [first.name, second.name] }), 200);
    const one = await expectImage(engine, first.name, answer);
    const other = await expectImage(engine, second.name, answer);
    expectValue('what the second name finds', idOf(other), [one, other]).toBe(idOf(one));
  },
);

check('images.build.parameter.q-true', { faults: [ignoresQuery('q')] }, async (context) => {
  const { engine } = context;
  const long = labelledOnce(context);
  const more = await given(answerOf(long), 200);
  const short = own(engine);
  const less = await given(buildOf(engine, short, [], { q: true }), 200);
  await isThere(engine, (await long).made.name, more);
  await isThere(engine, short.name, less);
  const [longer, shorter] = [more, less].map(({ answer }) => answer.body.length);
  expectValue('the bytes of output', shorter, [more, less]).toBeAtMost((longer ?? 0) - 1);
});

check('images.build.parameter.q-output', { faults: [ignoresQuery('q')] }, async ({ engine, use }) => {
  const { answer: long } = await use(asked);
  await control(Promise.resolve(long), 200);
  if (!outputOf(long).includes('ec-said')) throw new Blocked('the build without q does not show what its RUN writes');
  const made = own(engine);
  const answer = await given(buildOf(engine, made, [says('ec-said')], { q: true }), 200);
  await isThere(engine, made.name, answer);
  expectValue('the output of the build', outputOf(answer), [long, answer]).toLack('ec-said');
});

check('images.build.parameter.q-error', { faults: hidesErrorsWith('q') }, async (context) => {
  const { engine } = context;
  await control(answerOf(labelledOnce(context)), 200);
  // An instruction that runs nothing makes no container.
  expectFailure(await buildOf(engine, own(engine), ['COPY ec-none /ec-copied'], { q: true }));
});

// Engines that use their cache look through all their images, and no one else may remove any meanwhile.
check(
  'images.build.parameter.nocache-true',
  { faults: [ignoresQuery('nocache')], exclusive: true },
  async (context) => {
    const { made } = await cachedOnce(context);
    const again = await given(buildAgain(context.engine, { made, tag: 'without-cache', nocache: '1' }), 200);
    expectValue('the output of the second build', outputOf(again), [again]).toContain('ec-ran');
  },
);

check('images.build.parameter.cache-used', { faults: [], exclusive: true }, async (context) => {
  const { made, answer } = await cachedOnce(context);
  const again = await given(buildAgain(context.engine, { made, tag: 'with-cache', nocache: undefined }), 200);
  const used = !outputOf(again).includes('ec-ran');
  observe(used ? 'takes the second build from the cache' : 'runs the second build', answer, again);
});

/** Takes one of the pairs in a parameter. */
function takesOnePair(parameter: string, which: 'first' | 'last'): Fault {
  return {
    name: `takes the ${which} pair of ${parameter} alone`,
    request: (request) => {
      const [path = '', search = ''] = request.path.split('?');
      const query = new URLSearchParams(search);
      const map: unknown = JSON.parse(query.get(parameter) ?? '{}');
      const pair = Object.entries(Object(map)).at(which === 'first' ? 0 : -1);
      if (pair) query.set(parameter, JSON.stringify(Object.fromEntries([pair])));
      return { ...request, path: `${path}?${query.toString()}` };
    },
  };
}

const pairsFaults = (parameter: string) => [
  ignoresQuery(parameter),
  takesOnePair(parameter, 'first'),
  takesOnePair(parameter, 'last'),
];

check('images.build.parameter.buildargs-env', { faults: pairsFaults('buildargs') }, async ({ engine }) => {
  const made = own(engine);
  const query = { buildargs: JSON.stringify({ EC_ARG: 'of the client', EC_OTHER: 'another' }) };
  const answer = await given(buildOf(engine, made, ['ARG EC_ARG', 'ARG EC_OTHER', run('env')], query), 200);
  await isThere(engine, made.name, answer);
  for (const line of ['EC_ARG=of the client\n', 'EC_OTHER=another\n']) {
    expectValue('the output of the build', outputOf(answer), [answer]).toContain(line);
  }
});

check('images.build.parameter.buildargs-expansion', { faults: [ignoresQuery('buildargs')] }, async ({ engine }) => {
  const made = own(engine);
  const query = { buildargs: JSON.stringify({ EC_ARG: 'of-the-client' }) };
  const built = await given(buildOf(engine, made, ['ARG EC_ARG', 'LABEL ec.arg=$EC_ARG'], query), 200);
  await expectLabel(engine, made.name, built, ['ec.arg', 'of-the-client']);
});

check('images.build.parameter.labels', { faults: pairsFaults('labels') }, async ({ engine }) => {
  const made = own(engine);
  const labels = { 'ec.given': 'by the client', 'ec.other': 'as well' };
  const built = await given(buildOf(engine, made, [], { labels: JSON.stringify(labels) }), 200);
  await expectLabel(engine, made.name, built, ...Object.entries(labels));
});
