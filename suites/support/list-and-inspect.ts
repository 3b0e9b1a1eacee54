import type { Exchange } from '../../harness/engine/exchange.ts';
import { expectValue } from '../../harness/expect/expect.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';
import { NotApplicable } from '../../harness/verdict/outcomes.ts';

/** A member that the item of a list and inspect have by the documents: its path, or its paths where they differ. */
export type Alike = string | { readonly listed: string; readonly inspected: string };

/**
 * Judges that the item of a list tells of a thing what inspect does, as far as both have a member (interpretation
 * `list-and-inspect`).
 * @throws NotApplicable when they have none of the members in common, which other rules judge
 */
export function expectAlike(
  members: readonly Alike[],
  { list, item, inspect }: { readonly list: Exchange; readonly item: JsonValue; readonly inspect: Exchange },
): void {
  let compared = false;
  for (const member of members) {
    const paths = typeof member === 'string' ? { listed: member, inspected: member } : member;
    const [listed, inspected] = [valuesAt(item, paths.listed), valuesAt(inspect.json, paths.inspected)];
    if (listed.length === 0 || inspected.length === 0) continue;
    compared = true;
    expectValue(`${paths.listed} in the list`, comparable(listed), [inspect, list], { level: 'should' }).toBe(
      comparable(inspected),
    );
  }
  if (!compared) throw new NotApplicable('the list and inspect do not both have what could be compared');
}

/** Null stands for what is empty (interpretation `null-for-empty`), and subnets and names come in any order. */
function comparable(values: readonly JsonValue[]): JsonValue[] {
  return values
    .flatMap((value) => {
      const isEmpty = (isObject(value) || Array.isArray(value)) && Object.keys(value).length === 0;
      return isEmpty ? null : value;
    })
    .toSorted((one, two) => (JSON.stringify(one) < JSON.stringify(two) ? -1 : 1));
}
