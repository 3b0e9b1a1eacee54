import { isDeepStrictEqual } from 'node:util';
import { type CheckContext, check, fixture } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { given } from '../../harness/engine/given.ts';
import type { LiveExchange } from '../../harness/engine/live-exchange.ts';
import type { Query } from '../../harness/engine/query.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { type Fault, onlyFor } from '../../harness/faults/fault.ts';
import { ignoresQuery, knowsOnly, takesQueryAs } from '../../harness/faults/requests.ts';
import { type CommonContainer, commonContainer, useCommon } from '../support/common-containers.ts';
import { ifRight, ifThere, withOthers } from '../support/shared-results.ts';
import { no, yes } from '../support/spellings.ts';
import { carriedBy, carriedUntil } from '../support/streams/carried-text.ts';
import { betweenLines, haveTimes, spacedLines } from './support/logged-container.ts';

/** Keeps running after it has written. */
const runsOn = commonContainer('a running container that has written', {
  run: ['out', 'ready\\n', 'forever'],
  state: 'running',
});

/** What came to a client that followed a log to its end. */
interface Followed {
  readonly query: Query;
  readonly log: LiveExchange;
  readonly stdout: string;
  readonly stderr: string;
}

/** What clients get that follow the log of one container, which has written two lines, writes to both outputs and stops. */
async function followedBy(engine: Engine, queries: readonly Query[]): Promise<Followed[]> {
  const run = ['catch', 'out', 'early\\n', 'out', 'ready\\n', 'wait-signal', 'err', 'of stderr\\n'];
  const container = await makeContainer(engine, { run, state: 'running' });
  const logs: { query: Query; log: LiveExchange }[] = [];
  // A number of lines counts those that are there.
  await container.hasWritten('ready');
  for (const query of queries) logs.push({ query, log: await given(container.openLogs(query), 200) });
  for (const { log } of logs) await carriedUntil(log, 'stdout', 'ready\n');
  await given(container.kill({ signal: 'SIGUSR1' }), 204);
  return Promise.all(logs.map(async ({ query, log }) => ({ query, log, ...carriedBy(log, await log.rest()) })));
}

const spelt = yes.map((follow): Query => ({ follow, stdout: true, stderr: true }));
const tailed: Query = { follow: true, stdout: true, tail: 1 };
const timed: Query = { follow: true, stdout: true, timestamps: true };

const followedTogether = fixture('what clients get that follow one log in all ways', ({ engine }) =>
  followedBy(engine, [...spelt, tailed, timed]),
);

/** The same for some of them. One that is not right, which another may have caused, is asked again on its own container. */
async function* followed(
  { engine, use }: CheckContext,
  queries: readonly Query[],
  isRight: (followed: Followed) => boolean,
): AsyncGenerator<Followed> {
  const all = await ifThere(use(followedTogether));
  for (const query of queries) {
    const followed = all?.find((one) => one.query === query);
    const shown = ifRight(followed, isRight, withOthers, ({ log }) => log);
    yield* shown ? [shown] : await followedBy(engine, [query]);
  }
}

/** The log goes on with what the container writes, and ends when it stops. */
async function expectFollowed(context: CheckContext, queries: readonly Query[], whole: string): Promise<void> {
  const wanted = ({ stderr }: Query) => ({ stdout: whole, stderr: stderr ? 'of stderr\n' : '' });
  const isRight = ({ query, stdout, stderr }: Followed) => isDeepStrictEqual({ stdout, stderr }, wanted(query));
  for await (const { query, log, stdout, stderr } of followed(context, queries, isRight)) {
    expectValue('the log that was followed', { stdout, stderr }, [log]).toBe(wanted(query));
  }
}

/** The log ends while the container keeps running. */
async function expectNotFollowed(container: CommonContainer, ...queries: readonly Query[]): Promise<void> {
  await container.hasWritten('ready');
  for (const query of queries) {
    const answer = await container.logs({ stdout: true, ...query });
    expect(answer).toHaveStatus(200);
    expectValue('the log', carriedBy(answer, answer.answer.body).stdout, [answer]).toBe('ready\n');
  }
}

const whole = 'early\nready\nsignal 10\n';

check(
  'containers.logs.follow-true',
  { faults: [ignoresQuery('follow'), followedOnly(ignoresQuery('stderr'))] },
  (context) => expectFollowed(context, spelt.slice(0, 1), whole),
);

const alwaysFollows = takesQueryAs('follow', '1');

check('containers.logs.follow-default-false', { faults: [alwaysFollows], slowToFail: true }, async (context) => {
  await expectNotFollowed(await useCommon(context, runsOn), {});
});

check(
  'containers.logs.follow-spellings',
  { faults: [knowsOnly('follow', '1'), alwaysFollows], slowToFail: true },
  async (context) => {
    await expectNotFollowed(await useCommon(context, runsOn), ...no.map((follow) => ({ follow })));
    await expectFollowed(context, spelt, whole);
  },
);

/** The same fault where a log is followed, and not where it is only read. */
function followedOnly(fault: Fault): Fault {
  return onlyFor(({ path }) => /[?&]follow=1/.test(path), fault, `${fault.name} with follow`);
}

const endsWithTail = onlyFor(({ path }) => path.includes('tail='), ignoresQuery('follow'), 'ignores follow with tail');

check('containers.logs.follow-tail', { faults: [followedOnly(ignoresQuery('tail')), endsWithTail] }, (context) =>
  expectFollowed(context, [tailed], 'ready\nsignal 10\n'),
);

check('containers.logs.follow-timestamps', { faults: [followedOnly(ignoresQuery('timestamps'))] }, async (context) => {
  const isTimed = (stdout: string) => haveTimes(stdout, ['early', 'ready', 'signal 10']);
  for await (const { log, stdout } of followed(context, [timed], (one) => isTimed(one.stdout))) {
    expectValue('the log that was followed', stdout, [log]).toSatisfy('a time before each of its three lines', () =>
      isTimed(stdout),
    );
  }
});

check(
  'containers.logs.follow-since',
  { long: true, faults: [followedOnly(ignoresQuery('since'))] },
  async (context) => {
    const since = await context.use(betweenLines);
    const container = await useCommon(context, spacedLines);
    const log = await given(container.openLogs({ follow: true, stdout: true, since }), 200);
    const { stdout } = await carriedUntil(log, 'stdout', 'late\n');
    expectValue('the log that was followed', stdout, [log]).toBe('late\n');
  },
);
