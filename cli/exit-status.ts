import { UsageError } from '../harness/usage-error.ts';

/** The exit status of the process. Scripts depend on these numbers. */
export const exitStatus = {
  /** Nothing fails beyond the baseline. */
  kept: 0,
  /** A deviation, or a baseline entry that no longer holds. */
  deviates: 1,
  /** An unknown option, a file that does not parse, a pattern that matches nothing. */
  usage: 2,
  /** The target could not be reached, or died. */
  lost: 3,
  /** Nothing conclusive ran. */
  inconclusive: 4,
  /** The kit itself failed. */
  failed: 5,
} as const;

/** Prints in one line what ended the command, and returns the status for it. Only defects of the kit show a stack. */
export async function statusOfError(error: unknown, say: (line: string) => void): Promise<number> {
  // Loaded here, because --help does not need it.
  const [{ visible, visibleLine }, { TargetUnreachable }, { TransportError }, { SetUpWrong }] = await Promise.all([
    import('../reports/visible.ts'),
    import('../harness/target/identify.ts'),
    import('../harness/transport/errors.ts'),
    import('../harness/token/set-up-wrong.ts'),
  ]);
  if (error instanceof UsageError) {
    say(`error: ${visibleLine(error.message)}`);
    return exitStatus.usage;
  }
  if (error instanceof TargetUnreachable) {
    say(`error: ${visibleLine(error.message)}; check ${error.toCheck}`);
    return exitStatus.lost;
  }
  if (error instanceof SetUpWrong) {
    say(`error: ${visibleLine(error.message)}; ${visibleLine(error.toDo)}`);
    return exitStatus.inconclusive;
  }
  if (error instanceof TransportError) {
    say(`error: the target stopped answering: ${visibleLine(error.message)}`);
    return exitStatus.lost;
  }
  const shown = error instanceof Error ? (error.stack ?? error.message) : String(error);
  say(`error: engine-conformance itself failed, which says nothing about the target:\n${visible(shown)}`);
  return exitStatus.failed;
}
