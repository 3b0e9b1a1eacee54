import fc from 'fast-check';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { expectValue } from '../../../harness/expect/expect.ts';
import { directories, distinct } from '../../../harness/generators/texts.ts';
import type { JsonValue } from '../../../harness/streams/json.ts';
import { isObject, valuesAt } from '../../../harness/streams/json-path.ts';

/** The letters of a trial's volumes; each has a name of the sandbox. */
export const letters = ['u', 'v'] as const;
export type Letter = (typeof letters)[number];
export type Names = Readonly<Record<Letter, string>>;

/** Where a container mounts a volume by Binds. */
export interface VolumePlace {
  readonly volume: Letter;
  readonly path: string;
  readonly readOnly: boolean;
}

/** Distinct places below a directory. */
export function placesIn(top: string): fc.Arbitrary<VolumePlace[]> {
  const place = fc.record({ volume: fc.constantFrom(...letters), path: directories(top), readOnly: fc.boolean() });
  return distinct(place, ({ path }) => path);
}

/** A place in the form of Binds: `name:/path` or `name:/path:ro` (Document 1, HostConfig). */
export function bindOf({ volume, path, readOnly }: VolumePlace, names: Names): string {
  return `${names[volume]}:${path}${readOnly ? ':ro' : ''}`;
}

/** The mount at a path of the container, as inspect shows it. */
export function mountAt(inspect: Exchange, path: string): Readonly<Record<string, JsonValue>> | undefined {
  const mounts = valuesAt(inspect.json, 'Mounts').flat();
  return mounts.filter(isObject).find(({ Destination }) => Destination === path);
}

/** Judges that there is a mount at the path, and that it has these members. */
export function expectMount(
  inspect: Exchange,
  path: string,
  wanted: Readonly<Record<string, JsonValue>>,
  evidence: readonly Exchange[] = [],
): void {
  const mount = mountAt(inspect, path);
  const shown = mount && Object.fromEntries(Object.keys(wanted).map((member) => [member, mount[member] ?? null]));
  expectValue(`the mount at ${path}`, shown, [...evidence, inspect]).toBe(wanted);
}
