import type { Result } from '../harness/events.ts';

/** What the roles in the texts of a deviation were in this run, one line each: `the first container: ec-…`. */
export function namedLines({ names = {} }: Pick<Result, 'names'>): string[] {
  return Object.entries(names).map(([role, name]) => `${role}: ${name}`);
}
