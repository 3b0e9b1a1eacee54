import { type Fixture, type FixtureContext, fixture } from '../../harness/check.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { ifThere } from './shared-results.ts';

/**
 * Declares something that several rules of one version judge, and that is done once for them. Where that fails, each
 * rule does it itself, and so fails as it would alone.
 * @param what it is, in words
 */
export function doneOnce<T>(
  what: string,
  run: (context: FixtureContext) => Promise<T>,
): (context: FixtureContext) => Promise<T> {
  return sharedOrAlone(fixture(what, run), run);
}

/** The same for the rules of all versions, by requests that mean the same in whichever of them they are sent. */
export function doneOnceForAll<T>(
  what: string,
  run: (context: Omit<FixtureContext, 'api'>) => Promise<T>,
): (context: FixtureContext) => Promise<T> {
  return sharedOrAlone(fixture(what, run, { allVersions: (made) => made }), run);
}

function sharedOrAlone<T>(shared: Fixture<T>, run: (context: FixtureContext) => Promise<T>) {
  return async (context: FixtureContext) => (await ifThere(context.use(shared))) ?? run(context);
}

/** The answer of what was done, for `given` and `control`: where none came, the rule is blocked. */
export async function answerOf(done: Promise<{ readonly answer: Exchange }>): Promise<Exchange> {
  return (await done).answer;
}
