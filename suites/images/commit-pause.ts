import { check, fixture } from '../../harness/check.ts';
import type { Container } from '../../harness/engine/container.ts';
import { create, createBody, makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { given, settled } from '../../harness/engine/given.ts';
import { readTar } from '../../harness/engine/tar.ts';
import { expectValue, observe } from '../../harness/expect/expect.ts';
import { setsTarEntries } from '../../harness/faults/archives.ts';
import { on } from '../../harness/faults/fault.ts';
import { takesQueryAs } from '../../harness/faults/requests.ts';
import { Blocked, NotApplicable } from '../../harness/verdict/outcomes.ts';
import { putArchive } from '../containers/support/archives.ts';
import { kindOf } from '../events/support/event.ts';
import { listen } from '../events/support/listen.ts';
import { commit, idOf } from './support/committed-images.ts';

/**
 * Two files that grow by a byte in turn. Between them, for engines that read files in the order of their names, is one that takes a
 * while to read: of a container that goes on meanwhile, the image gets sizes that the two never had at the same time.
 */
const first = '/ec-1-first';
const between = '/ec-2-between';
const bytesBetween = 2 * 1024 * 1024;
const second = '/ec-3-second';
const growBoth = ['append', first, '.', 'append', second, '.', 'sleep', '10'];
/** That is for 6 seconds; while it is paused, it does not come any further. Lists of containers have all of it in Command. */
const rounds = 600;

async function makeWriter(engine: Engine): Promise<Container> {
  const run = [...growBoth, 'out', 'ready\\n', ...Array.from({ length: rounds }, () => growBoth).flat(), 'forever'];
  const container = await makeContainer(engine, { run, network: 'any' });
  const file = { name: between.slice(1), mode: 0o644, content: Buffer.alloc(bytesBetween) };
  await given(putArchive(engine, container.id, { path: '/' }, [file]), 200);
  await given(container.start(), 204);
  await container.hasWritten('ready');
  return container;
}

/** The container is running, and has been committed once. */
const committedWhileWriting = fixture('a commit of a container that writes two files in turn', async ({ engine }) => {
  const container = await makeWriter(engine);
  const { answer, name } = await commit(engine, container, { query: { pause: '1' } });
  await given(Promise.resolve(answer), 201);
  const made = idOf(await given(create(engine, { ...createBody(engine), Image: name }), 201));
  const [one, other] = [await fileOf(engine, made, first), await fileOf(engine, made, second)];
  return { id: container.id, sizes: [one.size, other.size], evidence: [answer, one.answer, other.answer] };
});

async function fileOf(engine: Engine, container: string, path: string) {
  const answer = await given(engine.get(`/containers/${container}/archive`, { path }), 200, 404);
  const [file] = answer.status === 404 ? [] : await settled(readTar(answer.answer.body), 'reading the archive');
  return { answer, size: file?.content.length ?? 0 };
}

check(
  'images.commit.pause-true',
  // As an engine does that comes to the second file later.
  { faults: [on('GET /containers/{id}/archive', setsTarEntries(second.slice(1), '.'.repeat(200)))] },
  async ({ use }) => {
    const { sizes, evidence } = await use(committedWhileWriting);
    if (sizes.includes(0)) throw new Blocked('the image has not got both files of the container');
    if (Math.max(...sizes) > rounds) throw new Blocked('the container had written everything before it was committed');
    expectValue('the two files of the image', stateOf(sizes), evidence).toBe(ofOneMoment);
  },
);

const ofOneMoment = 'as large as they were at one moment';

/** In words, as sizes would be others each time. */
function stateOf([one = 0, other = 0]: readonly number[]): string {
  if (other > one) return 'the second larger than the first, which grows before it';
  return one - other > 1 ? 'the first larger than the second by more than what is written in one step' : ofOneMoment;
}

/** What is told of a running container up to each of three commits. */
const toldOfCommits = fixture('what is told of commits of a running container', async ({ engine, use }) => {
  const { id } = await use(committedWhileWriting);
  const listener = await listen(engine);
  const answers: Exchange[] = [];
  for (const query of [{ pause: '1' }, { pause: '0' }, {}]) {
    const { answer } = await commit(engine, { id }, { query });
    answers.push(await given(Promise.resolve(answer), 201));
  }
  const kinds = () => listener.about(id).map(kindOf);
  const hasAll = await listener.hears(() => kinds().filter((kind) => kind === 'commit').length >= answers.length);
  listener.live.drop();
  if (!hasAll) throw new Blocked('the daemon does not tell of each commit of a container');
  const [withPause = false, withoutPause = false, byDefault = false] = pausesOf(kinds());
  return { withPause, withoutPause, byDefault, evidence: [...answers, listener.live] };
});

/** Of each commit whether a pause is told before it, and after the one before it. */
function pausesOf(kinds: readonly string[]): boolean[] {
  const pauses: boolean[] = [];
  let isPaused = false;
  for (const kind of kinds) {
    if (kind === 'pause') isPaused = true;
    if (kind !== 'commit') continue;
    pauses.push(isPaused);
    isPaused = false;
  }
  return pauses;
}

check('images.commit.pause-false', { faults: [takesQueryAs('pause', '1')] }, async ({ use }) => {
  const { withPause, withoutPause, evidence } = await use(toldOfCommits);
  if (!withPause) throw new NotApplicable('the daemon does not tell that it pauses a container for a commit');
  expectValue('whether it is told that the container is paused for a commit with pause=0', withoutPause, evidence).toBe(
    false,
  );
});

check('images.commit.pause-default', { faults: [] }, async ({ use }) => {
  const { byDefault, evidence } = await use(toldOfCommits);
  observe(`${byDefault ? 'tells' : 'does not tell'} that a running container is paused for a commit`, ...evidence);
});
