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

/** The daemon at one API version and the token server, and what is known about them. */
export interface FixtureContext {
  readonly engine: Engine;
  readonly tokens: TokenClient;
  readonly api: ApiVersion;
  readonly target: Target;
  /** How a faulty daemon's requests reach a registry that the check runs. */
  readonly toRegistry?: Garbled | undefined;
  /** A resource that several checks only read; made once, or once per API version. @throws Blocked when it cannot be */
  use<T>(fixture: Fixture<T>): Promise<T>;
}

/** The context of a check. */
export interface CheckContext extends FixtureContext {
  readonly rule: Rule;
  readonly generation: Generation;
  /** The rules that checks of this run and version have found broken so far: properties leave them out. */
  readonly toldOf: () => readonly string[];
  /** The answers so far to the checks of this version that are not `last`, and to what they share; none under a fault. */
  readonly seen: () => readonly SeenAnswer[];
  /**
   * Runs something on an engine of its own; everything it makes is removed afterwards.
   * @param run gets the engine, a function that counts the exchanges begun so far, and one that returns the token
   * server
   */
  trial(run: (engine: Engine, begun: () => number, tokens: () => TokenClient) => Promise<void>): Promise<Tried>;
}

/** An answer to some check. Its exchange can be evidence when its status is 500 or more. */
export interface SeenAnswer {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** What remains of a trial. */
export interface Tried {
  /** In the order in which they began. */
  readonly exchanges: () => readonly RecordedExchange[];
  /** Keeps the exchanges as evidence; they are otherwise discarded. */
  keep(): void;
}

/** A resource or exchange shared by read-only checks. */
export interface Fixture<T> {
  /** What it is, in words. */
  readonly name: string;
  readonly make: (context: FixtureContext) => Promise<T>;
  /** The same thing, used through another engine. Absent where each version has to make its own. */
  boundTo?(made: T, engine: Engine): T;
}

/** Something on a daemon that can be used through another engine, and so in another version. */
interface Rebindable<T> {
  boundTo(engine: Engine): T;
}

/** Declares a shared fixture. What it makes is removed when its API version is finished. */
export function fixture<T>(name: string, make: (context: FixtureContext) => Promise<T>): Fixture<T>;
/**
 * Declares a fixture that all versions share: made once, by requests that mean the same in all of them, and used by
 * each check in its own version. Only for things that are not changed.
 * @param allVersions true where what is made can be bound to an engine; else the function that binds it
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
  /** Judges what the run has seen, so it runs after all others. */
  readonly last?: boolean;
  /** Takes seconds on every daemon, as it waits for time to pass or does a lot; it starts before the others. */
  readonly long?: boolean;
  /** Under a fault it waits long for what never comes; a proof starts it before the others, and lets others run beside it. */
  readonly slowToFail?: boolean;
  /** Capabilities of the target that it looks at while it runs, besides those that the rule needs. */
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

/** Declares a check for a rule from the catalogue, such as a field rule. */
export function checkRule(rule: Rule, options: CheckOptions, run: (context: CheckContext) => Promise<void>): void {
  register({ ...options, rule, run });
}

function register(made: Check): void {
  if (registered.has(made.rule.id)) throw new Error(`two checks decide ${made.rule.id}`);
  registered.set(made.rule.id, made);
}

/** Every check declared so far, by rule id. Suites declare their checks when they are imported. */
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
