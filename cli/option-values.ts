import { InvalidArgumentError } from 'commander';
import { type ApiWish, isApiWish } from '../harness/target/judged-versions.ts';
import type { Level } from '../specs/statement.ts';
import { type ApiVersion, apiVersions, isApiVersion, newestVersion, versionsInWords } from '../specs/versions.ts';

const wishes = ['newest', 'served'] as const;
const ofContract = `The API versions of the contract are ${versionsInWords(apiVersions)}`;

/** Versions of the contract separated by commas, or `newest`. Repeatable. Oldest first, without duplicates. */
export function parseApis(text: string, before: readonly ApiVersion[] = []): readonly ApiVersion[] {
  const given = parts(text).map((one) => {
    const version = one === 'newest' ? newestVersion : one;
    if (!isApiVersion(version)) throw new InvalidArgumentError(`${ofContract}; newest is the last of them.`);
    return version;
  });
  return apiVersions.filter((version) => given.includes(version) || before.includes(version));
}

/** Versions of a target separated by commas, `newest` and `served`. Repeatable. Without duplicates. */
export function parseApiWishes(text: string, before: readonly ApiWish[] = []): readonly ApiWish[] {
  const given = parts(text).map((one) => {
    if (!isApiWish(one)) {
      throw new InvalidArgumentError(`${ofContract}; newest and served mean those of them that the target serves.`);
    }
    return one;
  });
  return [...apiVersions, ...wishes].filter((wish) => given.includes(wish) || before.includes(wish));
}

function parts(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

/** Collects the values of a repeatable option. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

const knownLevels: readonly Level[] = ['must', 'should', 'observe'];

/** Collects levels of rules. */
export function levels(text: string, before: readonly Level[] = []): readonly Level[] {
  const level = knownLevels.find((one) => one === text);
  if (level === undefined) throw new InvalidArgumentError(`It must be one of ${knownLevels.join(', ')}.`);
  return [...before, level];
}

/** A whole number within bounds. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < least || number > most) {
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    }
    return number;
  };
}

/** One part of several: `2/3`. */
export function shard(text: string): { readonly index: number; readonly count: number } {
  const [, index = 0, count = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (index < 1 || index > count) throw new InvalidArgumentError('It must name one part of several, such as 2/3.');
  return { index, count };
}

/** A time in seconds, fractions allowed, as milliseconds. */
export function seconds(text: string): number {
  const number = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || number <= 0 || number > 3600) {
    throw new InvalidArgumentError('It must be a number of seconds above 0 and at most 3600.');
  }
  return Math.ceil(number * 1000);
}
