/** Which modules declare the checks for the rules of an area, so that a run loads only what it runs. */
import { isRuleId, rulebook } from '../specs/catalogue.ts';

const modules: Readonly<Record<string, () => readonly Promise<unknown>[]>> = {
  containers: () => [import('./containers/index.ts')],
  events: () => [import('./events/index.ts')],
  exec: () => [import('./exec/index.ts')],
  generated: () => [import('./generated/index.ts')],
  images: () => [import('./images/index.ts'), import('./build/index.ts'), import('./registry/index.ts')],
  networks: () => [import('./networks/index.ts')],
  service: () => [import('./service.ts'), import('./errors.ts'), import('./refusals.ts'), import('./cors.ts')],
  system: () => [import('./system/index.ts')],
  token: () => [import('./token/index.ts')],
  versioning: () => [import('./versioning.ts'), import('./versions/index.ts')],
  volumes: () => [import('./volumes/index.ts')],
};

/**
 * Loads the suites of the areas that these rules belong to.
 * @param rules their ids
 * @throws Error for an area without suites
 */
export async function loadSuites(rules: readonly string[]): Promise<void> {
  const areas = new Set(rules.filter(isRuleId).map((id) => rulebook[id].area));
  await Promise.all([import('./server-errors.ts'), ...[...areas].flatMap(suitesOf)]);
}

function suitesOf(area: string): readonly Promise<unknown>[] {
  const load = modules[area];
  if (!load) throw new Error(`suites/areas.ts has no suites for the area ${area}`);
  return load();
}
