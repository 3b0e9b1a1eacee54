import { Blocked } from '../../harness/verdict/outcomes.ts';

const patienceMs = 10_000;

/**
 * Waits a while for something on the side of the registry.
 * @param needed what it is when the check cannot go on without it
 * @returns whether it came
 * @throws Blocked when it was needed and did not come
 */
export async function within(happening: Promise<void>, needed: string | undefined): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), patienceMs);
  });
  const came = await Promise.race([happening.then(() => true), late]);
  clearTimeout(timer);
  if (!came && needed !== undefined) throw new Blocked(`waited ${patienceMs} ms until ${needed}`);
  return came;
}
