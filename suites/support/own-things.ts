import type { Exchange } from '../../harness/engine/exchange.ts';
import { expectValue } from '../../harness/expect/expect.ts';
import { show } from '../../harness/expect/show.ts';

/** Names of a check's own things. */
interface OwnNames {
  /** Those in the list. */
  readonly listed: readonly string[];
  readonly present: readonly string[];
  readonly absent: readonly string[];
}

/** Of the check's own things, a list has those in `present` and not those in `absent`. */
export function expectOwnListed(
  things: 'containers' | 'networks',
  answer: Exchange,
  { listed, present, absent }: OwnNames,
): void {
  const wanted = present.length > 0 ? show(present) : 'none';
  expectValue(`the ${things} of this check in the list`, listed, [answer]).toSatisfy(
    present.length > 0 && absent.length > 0 ? `${wanted} and not ${show(absent)}` : wanted,
    () => listed.length === present.length && present.every((name) => listed.includes(name)),
  );
}
