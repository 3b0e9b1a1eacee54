import { answerOf } from '../../specs/endpoint.ts';
import { engineRoutes } from '../../specs/known-routes.ts';
import { resolve, type Schema } from '../../specs/schema.ts';
import { isApiVersion } from '../../specs/versions.ts';
import { type JsonValue, parseJson } from '../streams/json.ts';
import type { WireRequest } from '../transport/wire.ts';

type JsonObject = { [name: string]: JsonValue };

/** `GET /containers/json`: the endpoint of a request; undefined when there is none. */
export function endpointOf({ method, path }: WireRequest): string | undefined {
  const endpoint = engineRoutes.find(method, path);
  return endpoint && `${endpoint.method} ${endpoint.path}`;
}

/** `1.23`, from the path of a request; empty without a version. */
export function versionOf({ path }: WireRequest): string {
  return /^\/v([\d.]+)\//.exec(path)?.[1] ?? '';
}

/** The JSON body of a request; undefined for what is no JSON, which the engine is to refuse. */
export function jsonBodyOf({ body }: WireRequest): JsonValue | undefined {
  try {
    return body && parseJson(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Changes every object of an answer whose members the contract describes, innermost first. Maps, whose members are
 * named by users or after things, are left alone.
 */
export function inDescribedObjects(
  value: JsonValue,
  request: WireRequest,
  change: (object: JsonObject) => JsonObject,
): JsonValue {
  const schema = schemaOf(request);
  return schema ? within(value, schema, change) : value;
}

/** The schema of an answer of 200 or 201; it also applies to every object of a stream. */
function schemaOf(request: WireRequest): Schema | undefined {
  const endpoint = engineRoutes.find(request.method, request.path);
  const api = versionOf(request);
  if (!endpoint || !isApiVersion(api)) return undefined;
  return (answerOf(endpoint, 200, api) ?? answerOf(endpoint, 201, api))?.schema;
}

function within(value: JsonValue, schema: Schema, change: (object: JsonObject) => JsonObject): JsonValue {
  const { properties, items, additionalProperties } = resolve(schema);
  if (Array.isArray(value)) return items ? value.map((item) => within(item, items, change)) : value;
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.entries(value).map(([name, member]) => {
    const ofMember = properties?.[name] ?? additionalProperties;
    return [name, ofMember ? within(member, ofMember, change) : member] as const;
  });
  const object = Object.fromEntries(inner);
  return properties ? change(object) : object;
}
