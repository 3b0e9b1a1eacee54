import type { Container } from '../../../harness/engine/container.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { given } from '../../../harness/engine/given.ts';
import type { Query } from '../../../harness/engine/query.ts';
import { commonContainer, useCommon } from '../../support/common-containers.ts';
import { doneOnce } from '../../support/done-once.ts';
import { type Carried, carriedBy } from '../../support/streams/carried-text.ts';

/** A container that has written three lines to stdout and one to stderr, and ended. */
export const written = commonContainer('a container that has written to its log', {
  run: ['out', 'one\\n', 'err', 'of stderr\\n', 'out', 'two\\nthree\\n'],
  state: 'exited',
});

/** Its log of stdout, asked for without anything else. */
export const logOfStdout = doneOnce(`the log of stdout of ${written.name}`, async (context) =>
  (await useCommon(context, written)).logs({ stdout: true }),
);

type Log = Carried & { readonly answer: Exchange };

/** The log of a container without a terminal. @throws Blocked when it is refused or cannot be read */
export async function logOf(container: Pick<Container, 'logs'>, query: Query): Promise<Log> {
  const answer = await given(container.logs(query), 200);
  return { answer, ...carriedBy(answer, answer.answer.body) };
}
