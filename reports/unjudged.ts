import { thousands } from './counted.ts';
import { grouped } from './grouped.ts';
import type { RunRecord } from './run-record.ts';

/** If a run did not judge at least this many rules, its outcome says so. */
const many = 10;

/** What the user did not request is not something that the target lacks. */
const asked: readonly string[] = ['cors-origin', 'hostile'];

/**
 * The must rules that were not judged in any version because the target lacks one thing, if there are many: `37 must
 * rules were not judged for lack of registry`; undefined otherwise.
 */
function unjudgedInWords({ started, results }: RunRecord): string | undefined {
  const { lacks, tokenServer } = started.target;
  const unasked = tokenServer === undefined ? [...asked, 'token-user'] : asked;
  // One missing thing may cause others to be missing, which then have its reason.
  const names = new Map<string, string>();
  for (const [name, reason] of Object.entries(lacks)) {
    if (!unasked.includes(name) && !names.has(reason)) names.set(reason, name);
  }
  const numbers = new Map<string, number>();
  for (const own of grouped(results, ({ rule }) => rule).values()) {
    if (own.some(({ verdict, level }) => verdict !== 'skip' || level !== 'must')) continue;
    const name = own.map(({ reason }) => names.get(reason)).find((one) => one !== undefined);
    if (name !== undefined) numbers.set(name, (numbers.get(name) ?? 0) + 1);
  }
  const told = [...numbers].filter(([, number]) => number >= many).toSorted(([, one], [, other]) => other - one);
  if (told.length === 0) return undefined;
  const parts = told.map(([name, number], place) => {
    const rules = place === 0 ? ' must rules were not judged' : '';
    return `${thousands(number)}${rules} for lack of ${name}`;
  });
  return parts.join(', ');
}

/** The versions that were asked for in vain: `the target does not serve API 1.41`; undefined when there are none. */
function unservedInWords({ started: { apis, target } }: RunRecord): string | undefined {
  const unserved = apis.filter((api) => !target.serves.includes(api));
  return unserved.length === 0 ? undefined : `the target does not serve API ${unserved.join(', ')}`;
}

/** A sentence, extended by what was not judged. */
export function withUnjudged(sentence: string, record: RunRecord): string {
  const words = [unservedInWords(record), unjudgedInWords(record)].filter((one) => one !== undefined);
  return words.length === 0 ? sentence : `${sentence.replace(/\.$/, '')}; ${words.join('; ')}.`;
}
