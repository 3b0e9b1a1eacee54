import type { Capability } from '../specs/capabilities.ts';
import { type RuleId, rulebook } from '../specs/catalogue.ts';
import type { Rule } from '../specs/rule.ts';
import type { ApiVersion } from '../specs/versions.ts';
import type { Engine } from './engine/engine.ts';
import type { RecordedExchange } from './events.ts';
import type { Fault } from './faults/fault.ts';
import type { Generation } from './property/generation.ts';
import type { Garbled } from './registry/registry.ts';
import type { ServerKind, Target } from './target/target.ts';
import type { TokenClient } from './token/token-client.ts';

/** The daemon at one API version and the token server, and what is known of them. */
export interface FixtureContext {
  readonly engine: Engine;
  readonly tokens: TokenClient;
  readonly api: ApiVersion;
  readonly target: Target;
  /** How a faulty daemon's requests come to a registry that the check serves. */
  readonly toRegistry?: Garbled | undefined;
  /** A resource that several checks only read; made once, or once per API version. @throws Blocked when it can't be made */
  use<T>(fixture: Fixture<T>): Promise<T>;
}

/** What a check is given. */
export interface CheckContext extends FixtureContext {
  readonly rule: Rule;
  readonly generation: Generation;
  /** The rules that checks of this run and version found not to be kept so far: properties leave them out. */
  readonly toldOf: () => readonly string[];
  /** What the checks that are not last were answered so far in this run and version. */
  readonly seen: () => readonly SeenAnswer[];
  /**
   * Runs something on an engine of its own; what it made is removed when it is over.
   * @param run is given the engine, what counts the exchanges it has begun, and what gives the token server
   */
  trial(run: (engine: Engine, begun: () => number, tokens: () => TokenClient) => Promise<void>): Promise<Tried>;
}

/** An answer that some check got. Its exchange can be evidence when its status is 500 or more. */
export interface SeenAnswer {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** What is left of a trial. */
export interface Tried {
  /** In the order in which they began. */
  readonly exchanges: () => readonly RecordedExchange[];
  /** Makes the exchanges evidence that is kept; they are forgotten else. */
  keep(): void;
}

/** A resource or exchange shared by read-only checks. */
export interface Fixture<T> {
  /** What it is, in words. */
  readonly name: string;
  readonly make: (context: FixtureContext) => Promise<T>;
  /** The same thing, to be asked through another engine. Absent where each version has to make its own. */
  boundTo?(made: T, engine: Engine): T;
}

/** Something on a daemon that can be asked through another engine, and so in another version. */
interface Rebindable<T> {
  boundTo(engine: Engine): T;
}

/** Declares a shared fixture. What it makes is removed when its API version is through. */
export function fixture<T>(name: string, make: (context: FixtureContext) => Promise<T>): Fixture<T>;
/**
 * Declares a fixture that all versions share: made once, by requests that mean the same in all of them, and asked by each
 * check in its own version. Only for what is read.
 * @param allVersions true where what is made can be bound to an engine; else what binds it
 */
export function fixture<T extends Rebindable<T>>(
  name: string,
  make: (context: Omit<FixtureContext, 'api'>) => Promise<T>,
  options: { readonly allVersions: true },
): Fixture<T>;
export function fixture<T>(
  name: string,
  make: (context: Omit<FixtureContext, 'api'>) => Promise<T>,
  options: { readonly allVersions: (made: T, engine: Engine) => T },
): Fixture<T>;
export function fixture<T>(
  name: string,
  make: (context: FixtureContext) => Promise<T>,
  { allVersions }: { readonly allVersions?: true | ((made: T, engine: Engine) => T) } = {},
): Fixture<T> {
  if (allVersions === undefined) return { name, make };
  return { name, make, boundTo: allVersions === true ? rebound : allVersions };
}

function rebound<T>(made: T, engine: Engine): T {
  if (typeof made !== 'object' || made === null || !isRebindable(made)) {
    throw new Error('what all versions share has to be bound to the engine of each');
  }
  return made.boundTo(engine);
}

function isRebindable<T extends object>(made: T): made is T & Rebindable<T> {
  return 'boundTo' in made && typeof made.boundTo === 'function';
}

export interface CheckOptions {
  /** Deviations under which the check has to fail; empty only for rules of level `observe`. */
  readonly faults: readonly Fault[];
  /** Needs the daemon to itself: nothing else runs at the same time. */
  readonly exclusive?: boolean;
  /** Judges what the run saw, so it runs when all others are over. */
  readonly last?: boolean;
  /** Takes seconds on every daemon, as it waits for time to pass or does much; it is begun before the others. */
  readonly long?: boolean;
  /** Capabilities that it looks at in the target while it runs, beside those that the rule needs. */
  readonly looksAt?: readonly Capability[];
  /** Why the rule cannot be judged on this target or in this version; undefined when it can. */
  readonly notOn?: (target: Target, api: ApiVersion) => string | undefined;
}

/** The code that decides one rule. */
export interface Check extends CheckOptions {
  readonly rule: Rule;
  readonly run: (context: CheckContext) => Promise<void>;
}

const registered = new Map<string, Check>();

/** Declares the check of a rule. Title, versions, level and needs come from the rule. */
export function check(id: RuleId, options: CheckOptions, run: (context: CheckContext) => Promise<void>): void {
  register({ ...options, rule: rulebook[id], run });
}

/** Declares a check of a rule that was taken from the catalogue, such as a field rule. */
export function checkRule(rule: Rule, options: CheckOptions, run: (context: CheckContext) => Promise<void>): void {
  register({ ...options, rule, run });
}

function register(made: Check): void {
  if (registered.has(made.rule.id)) throw new Error(`two checks decide ${made.rule.id}`);
  registered.set(made.rule.id, made);
}

/** Every check declared so far, by rule id. The suites declare theirs when they are imported. */
export function allChecks(): ReadonlyMap<string, Check> {
  return registered;
}

/** Why a check cannot judge its rule on this target in this version; undefined when it can. */
export function whyNotOn({ rule, notOn }: Check, target: Target, api: ApiVersion): string | undefined {
  const absent = target.absent[serverOf(rule)];
  if (absent !== undefined) return absent;
  const missing = rule.needs.find((need) => target.lacks[need] !== undefined);
  return missing ? target.lacks[missing] : notOn?.(target, api);
}

/** Which server a rule is about. */
export function serverOf({ endpoint }: Rule): ServerKind {
  return endpoint?.server ?? 'engine';
}
