import type { Kind } from '../specs/rule.ts';
import type { Level } from '../specs/statement.ts';
import type { ApiVersion } from '../specs/versions.ts';
import type { Generated } from './property/generation.ts';
import type { Declared } from './target/declared.ts';
import type { Shown } from './verdict/shown.ts';

/**
 * The outcome of a check for a rule in one API version.
 * - `blocked`: a step before the assertion failed, so the rule was not decided.
 * - `skip`: the rule does not apply to this target, or the host lacks what it needs.
 * - `observed`: a fact was recorded where the documents leave the matter open.
 * - `waived`: a deviation in the baseline.
 * - `error`: the kit itself failed.
 * - `untested`: no check decides the rule.
 */
export type Verdict = 'pass' | 'fail' | 'blocked' | 'skip' | 'observed' | 'waived' | 'error' | 'untested';

export const verdicts: readonly Verdict[] = [
  'pass',
  'fail',
  'blocked',
  'skip',
  'observed',
  'untested',
  'waived',
  'error',
];

/**
 * The kinds of known deviations.
 * - `bug`: to be fixed.
 * - `intended`: the engine is meant to do this.
 * - `platform`: the engine's platform cannot do it.
 */
export const deviationKinds = ['bug', 'intended', 'platform'] as const;

export type DeviationKind = (typeof deviationKinds)[number];

/** What a failed rule showed when it was run again, alone and in order. */
export interface Confirmation {
  /**
   * - `deterministic`: it failed in every round.
   * - `order`: it failed in none of them, but fails after the check `after`.
   * - `intermittent`: it failed in some of them, or only alongside other checks.
   */
  readonly outcome: 'deterministic' | 'order' | 'intermittent';
  /** Rounds in which it failed, of `rounds`. */
  readonly failed: number;
  readonly rounds: number;
  /** The rule whose check has to run first. */
  readonly after?: string;
}

/** The verdict on one rule in one API version, with what an implementer needs to act on it. */
export interface Result {
  readonly rule: string;
  readonly api: ApiVersion;
  readonly verdict: Verdict;
  /** The level of the deviation when there is one, else the level of the rule. */
  readonly level: Level;
  readonly kind: Kind;
  readonly area: string;
  /** Method and path, absent for rules without an endpoint. */
  readonly endpoint?: string;
  /** Why the verdict is not a plain pass: the failed step, the missing capability, the observation. */
  readonly reason: string;
  readonly expected: string;
  readonly actual: string;
  /** What the roles in these texts, such as `the first container`, stand for in this run; absent without roles. */
  readonly names?: Readonly<Record<string, string>>;
  /** Identifies the deviation in a baseline; only for failed and blocked rules. */
  readonly fingerprint?: string;
  /** Ids of the exchanges judged, the decisive one last. */
  readonly evidence: readonly string[];
  readonly assertions: number;
  readonly durationMs: number;
  /** How a generated test failed; only for properties. */
  readonly generated?: Generated;
  /** Where an answer shows the deviation, or the failed step, as far as a script can be told. */
  readonly shown?: Shown;
  /** The kind of deviation according to the baseline; only for waived ones whose entry has it. */
  readonly knownAs?: DeviationKind;
  /** Only for failures, and only when the user asked for it. */
  readonly confirmation?: Confirmation;
}

/** Bytes as kept for a reader: text when they are valid UTF-8, else base64; limited in length. */
export interface RecordedBytes {
  /** Number of bytes transferred, even when fewer are kept. */
  readonly size: number;
  readonly text?: string;
  readonly base64?: string;
  readonly truncated: boolean;
}

export type HeaderList = readonly (readonly [name: string, value: string])[];

/** One recorded HTTP request and answer, or hijacked stream; credentials are redacted before this is made. */
export interface RecordedExchange {
  readonly id: string;
  /** The rule whose check made it, or the name of the shared fixture. */
  readonly madeFor: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly request: {
    readonly method: string;
    /** With version prefix and query. */
    readonly path: string;
    readonly headers: HeaderList;
    readonly body: RecordedBytes;
  };
  readonly answer?: {
    readonly status: number;
    readonly headers: HeaderList;
    readonly body: RecordedBytes;
  };
  /** Bytes of a hijacked connection after the heads, in the order in which they travelled. */
  readonly stream?: readonly (RecordedBytes & { readonly direction: 'sent' | 'received'; readonly atMs: number })[];
  /** Why the answer is incomplete. */
  readonly failure?: string;
  /** A command line that makes the same request. */
  readonly curl: string;
}

/** What is known about the daemon under test. */
export interface TargetIdentity {
  readonly address: string;
  readonly dialect: string;
  /** From GET /version; empty when the daemon did not say. */
  readonly product: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly os: string;
  readonly arch: string;
  readonly kernel: string;
  /** The versions of the contract that it serves. */
  readonly serves: readonly ApiVersion[];
  /** Capabilities it lacks, with the reason. A run of selected rules tries only those that they need. */
  readonly lacks: Readonly<Record<string, string>>;
  /** The address of the token endpoint, when one is judged. */
  readonly tokenServer?: string;
}

/** What the user asked of a run besides target, versions and seed; no secrets. */
export interface RunSettings extends Declared {
  /** The target was the embedded reference engine, which ended with the run. */
  readonly embedded?: boolean;
  /** The patterns of the rules; absent: all. */
  readonly only?: readonly string[];
  /** The patterns of rules that were left out. */
  readonly skip?: readonly string[];
  /** The areas and levels of the rules; absent: all. */
  readonly area?: readonly string[];
  readonly level?: readonly Level[];
  /** Only the rules that were not kept according to this report. */
  readonly rerunFailed?: string;
  /** The part of the rules that was judged. */
  readonly shard?: Shard;
  readonly concurrency: number;
  /** Bound of one exchange in milliseconds. */
  readonly timeoutMs: number;
  readonly failOn: 'must' | 'should';
  /** The configuration file. */
  readonly config?: string;
  readonly baseline?: string;
  readonly confirm?: number;
  /** The number of deviations that ends the run. */
  readonly bail?: number;
  readonly image?: string;
  readonly waitRestart?: boolean;
  /** Whether each rule was judged in one version only. */
  readonly once?: boolean;
  /** Whether every exchange was kept. */
  readonly allExchanges?: boolean;
  /** Runs of each generated test, and its time limit in milliseconds, if the user set them. */
  readonly runs?: number;
  readonly maxTimeMs?: number;
}

/** One of `count` parts of a run, counted from 1. */
interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Where one part of a merged run came from. */
export interface MergedShard {
  readonly index: number;
  readonly seed: number;
  readonly address: string;
  readonly startedAt: string;
  readonly durationMs: number;
}

export interface RunStarted {
  readonly type: 'run-started';
  readonly tool: { readonly name: string; readonly version: string };
  readonly target: TargetIdentity;
  readonly apis: readonly ApiVersion[];
  readonly seed: number;
  readonly startedAt: string;
  /** Number of verdicts to come: rules times versions, including untested ones. */
  readonly total: number;
  readonly settings?: RunSettings;
  /** Why fewer checks than usual run at once; absent if they do not. */
  readonly slow?: string;
  /** Of a run merged from the reports of its shards. */
  readonly shards?: readonly MergedShard[];
  /** Reads one exchange back during the run. Absent when the events come from a stored report. */
  readonly exchange?: (id: string) => Promise<RecordedExchange | undefined>;
}

/** Whether an exchange may be needed, judging by what is known about it without reading it. */
export type WantedExchange = (known: Pick<RecordedExchange, 'id' | 'madeFor'>) => boolean;

/** Where a client deviates from the contract. It is not a verdict on the daemon. */
export interface ClientDeviation {
  /** `deviates` from what is stated; `beyond`: the documents do not mention it. */
  readonly weight: 'deviates' | 'beyond';
  /** Method and path of the endpoint. */
  readonly endpoint: string;
  readonly api: ApiVersion;
  readonly says: string;
  /** What it sent, unless that was already said. */
  readonly actual: string;
  /** Number of requests. */
  readonly times: number;
  /** Id of the first exchange. */
  readonly exchange: string;
}

/** What passed through a proxy, besides the verdicts on the daemon. */
export interface Traffic {
  readonly connections: number;
  readonly exchanges: number;
  /** Exchanges that were passed on without being judged, by reason. */
  readonly notJudged: Readonly<Record<string, number>>;
  readonly clients: readonly ClientDeviation[];
}

export interface RunEnded {
  readonly type: 'run-ended';
  readonly durationMs: number;
  /** `interrupted` by the user; `lost` when the target died; `failed` when the kit did. */
  readonly end: 'complete' | 'interrupted' | 'lost' | 'failed';
  readonly endReason: string;
  /** Reads the exchanges back one by one from the spill file; those not wanted may be left out. */
  readonly exchanges: (wanted?: WantedExchange) => AsyncIterable<RecordedExchange>;
  /** Of a proxy, whose clients made the exchanges. */
  readonly traffic?: Traffic;
}

/** The run as one stream of events; terminal and reports are handlers of it. */
export type RunEvent =
  | RunStarted
  | { readonly type: 'verdict'; readonly result: Result }
  /** A failure was run again; the result repeats its verdict, with the confirmation. */
  | { readonly type: 'confirmed'; readonly result: Result }
  | { readonly type: 'target-lost'; readonly after: string; readonly reason: string }
  /** The target died, and a supervisor restarted it. */
  | { readonly type: 'target-restarted'; readonly after: string; readonly reason: string }
  | { readonly type: 'clean-up'; readonly left: readonly string[] }
  | RunEnded;

/** Follows a run. Called for each event in order; the next event waits for the promise. */
export type RunHandler = (event: RunEvent) => Promise<void> | void;
