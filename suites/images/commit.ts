import { check, checkRule, fixture } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expect, expectValue, observe } from '../../harness/expect/expect.ts';
import { show } from '../../harness/expect/show.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { findsFile } from '../../harness/faults/archives.ts';
import { on, since } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { ignoresBodyField, ignoresQuery, swallows, takesQueryAs } from '../../harness/faults/requests.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';
import { holdsIn } from '../../specs/versions.ts';
import { configSamples } from '../containers/support/config-samples.ts';
import { inSteadyOrder, meansSame } from '../containers/support/equivalent-values.ts';
import { created, writer } from '../support/common-containers.ts';
import { answerOf, doneOnce } from '../support/done-once.ts';
import { checkFields, fieldRulesOf } from '../support/field-checks.ts';
import { ifRight, ifThere, withOtherMembers } from '../support/shared-results.ts';
import type { ImageContext } from './support/committed-images.ts';
import {
  allSpellings,
  commit,
  filesIn,
  inspectImage,
  makeImage,
  newName,
  plainId,
  refusesSpelling,
} from './support/committed-images.ts';

const inspectEndpoint = 'GET /images/{name}/json';

/** Nothing in its answer is judged yet. */
const committedOnce = doneOnce('a commit', async ({ engine, use }) => commit(engine, await use(created)));

checkFields(
  fieldRulesOf('images.commit.field.'),
  fixture('the answer to a commit', (context) => given(answerOf(committedOnce(context)), 201)),
);

check('images.commit.answers-201', { faults: [answersStatus(200, 201)] }, async (context) => {
  expect((await committedOnce(context)).answer).toHaveStatus(201);
});

check('images.commit.unknown-answers-404', { faults: [answersStatus(500, 404)] }, async (context) => {
  const { engine } = context;
  await control(answerOf(committedOnce(context)), 201);
  const query = { container: engine.unusedName('container') };
  expect(await engine.post('/commit', { query, json: {} })).toHaveStatus(404);
});

check('images.commit.json-media-type', { faults: [answersStatus(415, 201)] }, async ({ engine, use }) => {
  const { answer } = await commit(engine, await use(created), { json: { Labels: { 'ec.key': 'a' } } });
  expect(answer).toHaveStatus(201);
});

const removedAgain = on('GET /containers/{id}/archive', findsFile('/etc/group', 'probe:x:1000:'));

check('images.commit.container', { faults: [ignoresQuery('container'), removedAgain] }, async ({ engine, use }) => {
  const { answer, name } = await commit(engine, await use(writer));
  const image = answer.status === 201 ? name : engine.sandbox.image;
  const files = await filesIn(engine, image, '/ec-written', '/etc/group');
  expectValue('a file that the container has written', files['/ec-written'], [answer]).toBe('some bytes');
  // An engine may put a file of its own there.
  const isBack = files['/etc/group']?.includes('probe:x:') === true;
  expectValue('whether a file that the container has removed is in the image', isBack, [answer]).toBe(false);
});

const named = doneOnce('an image that a commit named', async (context) => {
  const { answer, name } = await committedOnce(context);
  await given(Promise.resolve(answer), 201);
  return { answer, inspect: await inspectImage(context.engine, name) };
});

for (const [rule, fault] of [
  ['images.commit.repo', swallows(201, '{"Id":"none"}')],
  ['images.commit.tag', ignoresQuery('tag')],
] as const) {
  check(rule, { faults: [fault] }, async (context) => {
    const { answer, inspect } = await named(context);
    expectValue('the status of inspect by the new name', inspect.status, [answer, inspect]).toBe(200);
    expectValue('Id', plainId(valuesAt(inspect.json, 'Id')[0]), [answer, inspect]).toBe(
      plainId(valuesAt(answer.json, 'Id')[0]),
    );
  });
}

check('images.commit.comment', { faults: [ignoresQuery('comment')] }, async ({ engine, use }) => {
  const { name } = await makeImage({ engine, use }, { query: { comment: 'a comment' } });
  const history = await given(engine.get(`/images/${name}/history`), 200);
  const inspect = await given(inspectImage(engine, name), 200);
  const steps = Array.isArray(history.json) ? history.json.filter(isObject).map(({ Comment }) => Comment) : [];
  // Where the comment is kept is not stated: history and, since 1.21, inspect have a place for it.
  const comments = [...steps, ...valuesAt(inspect.json, 'Comment')];
  expectValue('the comments of the image', comments, [history, inspect]).toContain('a comment');
});

check(
  'images.commit.author',
  {
    faults: [ignoresQuery('author')],
    notOn: (_target, api) => (api === '1.20' ? 'image inspect has no Author before 1.21' : undefined),
  },
  async ({ engine, use }) => {
    const { name } = await makeImage({ engine, use }, { query: { author: 'an author' } });
    expect(await given(inspectImage(engine, name), 200))
      .field('Author')
      .toBe('an author');
  },
);

interface ShownConfig {
  readonly answer: Exchange;
  readonly config: JsonValue | undefined;
}

/** The configuration that containers of an image get: since 1.21 from image inspect, before that from a container. */
async function configOf(engine: Engine, image: string): Promise<ShownConfig> {
  if (engine.api !== '1.20') {
    const answer = await given(inspectImage(engine, image), 200);
    return { answer, config: valuesAt(answer.json, 'Config')[0] };
  }
  const query = { name: engine.name('container') };
  const created = await given(engine.post('/containers/create', { query, json: { Image: image } }), 201);
  const answer = await given(engine.get(`/containers/${valuesAt(created.json, 'Id')[0]}/json`), 200);
  return { answer, config: valuesAt(answer.json, 'Config')[0] };
}

/** The command comes last: an entrypoint may take the place of an older one together with it. */
const changes = [
  ...['ENV EC_ONE=1', 'LABEL ec.one=1', 'WORKDIR /work', 'EXPOSE 8080', 'USER probe'],
  ...['ENTRYPOINT ["/probe","out"]', 'CMD ["hello"]'],
];

check(
  'images.commit.changes',
  { faults: [ignoresQuery('changes'), takesQueryAs('changes', String(changes[0]))] },
  async ({ engine, use }) => {
    const { name } = await makeImage({ engine, use }, { query: { changes: changes.join('\n') } });
    const { answer, config } = await configOf(engine, name);
    const { Env, Labels, WorkingDir, ExposedPorts, User, Entrypoint, Cmd } = isObject(config) ? config : {};
    expectValue('Env', Env, [answer]).toContain('EC_ONE=1');
    expectValue('a label', isObject(Labels) ? Labels['ec.one'] : undefined, [answer]).toBe('1');
    const others = { WorkingDir, ExposedPorts, User, Entrypoint, Cmd };
    expectValue('the configuration of the image', others, [answer]).toBe({
      WorkingDir: '/work',
      ExposedPorts: { '8080/tcp': {} },
      User: 'probe',
      Entrypoint: ['/probe', 'out'],
      Cmd: ['hello'],
    });
  },
);

check('images.commit.config', { faults: [ignoresBodyField('WorkingDir')] }, async ({ engine, use }) => {
  const { name } = await makeImage({ engine, use }, { json: { WorkingDir: '/work' } });
  const { answer, config } = await configOf(engine, name);
  expectValue('WorkingDir of the image', isObject(config) ? config.WorkingDir : undefined, [answer]).toBe('/work');
});

check(
  'images.commit.pause-spellings',
  { faults: allSpellings.map((spelling) => refusesSpelling('pause', spelling)) },
  async ({ engine, use }) => {
    const container = await use(created);
    for (const pause of allSpellings) {
      expect((await commit(engine, container, { query: { pause } })).answer).toHaveStatus(201);
    }
  },
);

const bodyFields = fieldRulesOf('images.commit.body.').filter(({ field }) => field.path in configSamples);
/** What a container takes from its image where its own configuration does not set it. */
const ofImage = ['Cmd', 'Entrypoint', 'Env', 'ExposedPorts', 'Labels', 'User', 'Volumes', 'WorkingDir', 'StopSignal'];

/** Commits a container with these fields in the body. */
async function configWith({ engine, use }: ImageContext, fields: readonly string[]): Promise<ShownConfig> {
  const json = Object.fromEntries(fields.map((field) => [field, configSamples[field]]));
  return configOf(engine, (await makeImage({ engine, use }, { json })).name);
}

/**
 * One image for all fields, which saves one for each. A field that it does not show as sent is judged on an image of
 * its own.
 */
const configWithAll = fixture('the configuration of an image committed with every field', ({ engine, use, api }) => {
  const known = bodyFields.filter((rule) => holdsIn(rule, api));
  return configWith(
    { engine, use },
    known.map(({ field }) => field.path),
  );
});

for (const rule of bodyFields) {
  const { path } = rule.field;
  const sample = configSamples[path] ?? null;
  const valueIn = ({ config }: ShownConfig) => (isObject(config) ? config[path] : undefined);
  const isKept = (shown: ShownConfig) => meansSame(path, valueIn(shown) ?? null, sample);
  checkRule(
    rule,
    {
      faults: [ignoresBodyField(path), since('1.21', on(inspectEndpoint, setsField(`Config.${path}`, null)))],
      notOn: (_target, api) =>
        api === '1.20' && !ofImage.includes(path)
          ? 'image inspect has no Config before 1.21, and a container of the image has its own'
          : undefined,
    },
    async ({ engine, use }) => {
      const all = await ifThere(use(configWithAll));
      const shared = ifRight(all, isKept, withOtherMembers, ({ answer }) => answer);
      const shown = shared ?? (await configWith({ engine, use }, [path]));
      expectValue(`Config.${path} of the image`, inSteadyOrder(path, valueIn(shown)), [shown.answer]).toSatisfy(
        `what was sent: ${show(sample)}`,
        () => isKept(shown),
      );
    },
  );
}

check('images.commit.config-member', { faults: [] }, async ({ engine, use }) => {
  const { name } = await makeImage({ engine, use }, { json: { config: { WorkingDir: '/work' } } });
  const { answer, config } = await configOf(engine, name);
  const isTaken = isObject(config) && config.WorkingDir === '/work';
  observe(isTaken ? 'takes a configuration under config' : 'takes no configuration under config', answer);
});

check('images.commit.without-body', { faults: [] }, async ({ engine, use }) => {
  const { repository } = newName(engine);
  const query = { container: (await use(created)).id, repo: repository, tag: 'ec' };
  const answer = await engine.post('/commit', { query });
  observe(`answers ${answer.status} to a commit without a body`, answer);
});
