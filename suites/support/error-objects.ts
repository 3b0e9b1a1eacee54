import type { Exchange } from '../../harness/engine/exchange.ts';
import { changesJson } from '../../harness/faults/answers.ts';
import { type Fault, onlyFor, until } from '../../harness/faults/fault.ts';
import { dropsField } from '../../harness/faults/fields.ts';
import { inEachObject } from '../../harness/faults/objects.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';
import { isApiVersion, isDocumented, newestDocumented } from '../../specs/versions.ts';

/**
 * The errors that the objects of a stream tell of (Document 1, Errors). In carried versions errorDetail may have the
 * message alone (Document 4, streams.error.string).
 * @param asked the exchange that the objects are from
 */
export function errorsIn(objects: readonly JsonValue[], asked: Exchange): JsonValue[] {
  const api = /^\/v([\d.]+)\//.exec(asked.request.path)?.[1] ?? '';
  const isCarried = isApiVersion(api) && !isDocumented(api);
  return objects.flatMap((object) => {
    const told = valuesAt(object, 'error');
    if (told.length > 0 || !isCarried) return told;
    return valuesAt(object, 'errorDetail.message').filter((message) => typeof message === 'string');
  });
}

/** Tell of no error in a stream; where the text alone may be absent, without the detail as well. */
export const hidesErrors: readonly Fault[] = [
  until(newestDocumented, inEachObject(dropsField('error'))),
  inEachObject(
    changesJson('drops error and errorDetail', (json) => {
      if (!isObject(json)) return json;
      const { error: _, errorDetail: _detail, ...others } = json;
      return others;
    }),
  ),
];

/** Tell of no error where the request has a parameter. */
export function hidesErrorsWith(parameter: string): readonly Fault[] {
  const has = ({ path }: { readonly path: string }) => new URLSearchParams(path.split('?')[1]).has(parameter);
  return hidesErrors.map((fault) => onlyFor(has, fault, `${fault.name} with ${parameter}`));
}
