import type { Exchange } from '../../harness/engine/exchange.ts';
import { expectValue } from '../../harness/expect/expect.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';

/**
 * Judges that the item of a list tells of a thing what inspect does, as far as both have a member (interpretation
 * `list-and-inspect`).
 * @param paths the members that both have by the documents
 */
export function expectAlike(
  paths: readonly string[],
  { list, item, inspect }: { readonly list: Exchange; readonly item: JsonValue; readonly inspect: Exchange },
): void {
  for (const path of paths) {
    const [listed, inspected] = [item, inspect.json].map((json) => valuesAt(json, path));
    if (!listed?.length || !inspected?.length) continue;
    expectValue(`${path} in the list`, comparable(listed), [inspect, list], { level: 'should' }).toBe(
      comparable(inspected),
    );
  }
}

/** Null stands for what is empty (interpretation `null-for-empty`), and subnets come in any order. */
function comparable(values: readonly JsonValue[]): JsonValue[] {
  return values
    .map((value) => {
      const isEmpty = (isObject(value) || Array.isArray(value)) && Object.keys(value).length === 0;
      return isEmpty ? null : value;
    })
    .toSorted((one, two) => (JSON.stringify(one) < JSON.stringify(two) ? -1 : 1));
}
