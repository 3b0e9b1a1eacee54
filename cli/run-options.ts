import type { RunHandler } from '../harness/events.ts';
import type { RunOptions } from '../harness/runner/options.ts';
import { journalDirectory } from '../harness/sandbox/journal.ts';
import { type Declared, declaredIn } from '../harness/target/declared.ts';
import { checksEntry } from './checks-entry.ts';
import type { Selection } from './selection.ts';
import type { ChosenTarget } from './target.ts';
import { secretsOf } from './token-server.ts';
import { thisTool } from './tool.ts';

/** How a target is spoken to. */
export interface ExchangeFlags extends Declared {
  readonly dialect: string;
  /** Bound of one exchange in milliseconds. */
  readonly timeout: number;
  readonly concurrency?: number;
  readonly seed?: number;
  /** Runs of each generated test. */
  readonly runs?: number;
  /** How long a generated test may go on in one version, in milliseconds. */
  readonly maxTime?: number;
  /** Keeps the exchanges that are evidence of nothing, too. */
  readonly allExchanges?: boolean;
  readonly image?: string;
  /** Waits for a target that died, and goes on once it is back. */
  readonly waitRestart?: boolean;
  /** Judges each rule in one version only. */
  readonly once?: boolean;
}

const seeds = 2 ** 31;
/** Enough for the runs of a property on a daemon in containers; a slow one does fewer. */
const defaultMaxMs = 10_000;
/** A supervisor that starts a daemon again backs off after some deaths. */
const restartMs = 120_000;

/** A seed for everything random in a run. */
export function newSeed(): number {
  return Math.floor(Math.random() * seeds);
}

/** What the harness is to do, from what the user said. */
export function runOptions(
  { address, tokenServer, embedded, concurrency }: Omit<ChosenTarget, 'close'>,
  { apis, rules }: Selection,
  flags: ExchangeFlags,
  handlers: readonly RunHandler[],
  { signal, confirm, known, settings }: Pick<RunOptions, 'signal' | 'confirm' | 'known' | 'settings'> = {},
): RunOptions {
  return {
    ...(address && { address }),
    ...(tokenServer && { tokenServer }),
    dialect: flags.dialect,
    ...(apis && { apis }),
    rules: rules.map(({ id }) => id),
    ...(flags.image !== undefined && { image: flags.image }),
    declared: declaredIn(flags),
    entry: checksEntry,
    concurrency: flags.concurrency ?? concurrency,
    paced: flags.concurrency === undefined && !embedded,
    timeoutMs: flags.timeout,
    restartMs: flags.waitRestart === true ? restartMs : 0,
    ...(flags.once !== undefined && { inOneVersion: flags.once }),
    seed: flags.seed ?? newSeed(),
    ...(flags.runs !== undefined && { runs: flags.runs }),
    maxMs: flags.maxTime ?? (flags.runs === undefined ? defaultMaxMs : Number.POSITIVE_INFINITY),
    ...(known && { known }),
    ...(flags.allExchanges !== undefined && { allExchanges: flags.allExchanges }),
    journalDirectory: journalDirectory(),
    secrets: tokenServer ? secretsOf(tokenServer) : [],
    tool: thisTool(),
    handlers,
    ...(confirm && { confirm }),
    ...(settings && { settings }),
    ...(signal && { signal }),
  };
}
