import { grouped } from './grouped.ts';
import type { RunRecord } from './run-record.ts';

/** From so many rules on a run that did not judge them says so where it says how it came out. */
const many = 10;

/** What the user did not ask for or name is nothing that the target lacks. */
const asked: readonly string[] = ['cors-origin', 'hostile'];

/**
 * The rules of level must that were judged in no version for one thing that the target lacks, where they are many:
 * `37 must rules were not judged for lack of registry`; undefined where there are none.
 */
function unjudgedInWords({ started, results }: RunRecord): string | undefined {
  const { lacks, tokenServer } = started.target;
  const unasked = tokenServer === undefined ? [...asked, 'token-user'] : asked;
  // What is lacking may be the cause of other lacks, and then they have its reason.
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
    return `${number.toLocaleString('en')}${rules} for lack of ${name}`;
  });
  return parts.join(', ');
}

/** A sentence that ends with what was not judged. */
export function withUnjudged(sentence: string, record: RunRecord): string {
  const words = unjudgedInWords(record);
  return words === undefined ? sentence : `${sentence.replace(/\.$/, '')}; ${words}.`;
}
