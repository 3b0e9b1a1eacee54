import { hasOwnShape } from '../../harness/expect/own-shape.ts';
import { show } from '../../harness/expect/show.ts';
import { undocumentedPaths } from '../../harness/expect/undocumented.ts';
import { type JsonValue, parseJson } from '../../harness/streams/json.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';
import { headerOf } from '../../harness/transport/wire.ts';
import type { Parameter } from '../../specs/endpoint.ts';
import { describe } from '../../specs/fields.ts';
import { fieldsOf, resolve, type Schema } from '../../specs/schema.ts';
import { type ApiVersion, holdsIn } from '../../specs/versions.ts';
import type { Subject } from './subject.ts';

/** What a client does that is not in the contract. */
export interface ClientFinding {
  /** `deviates` from what is stated; `beyond`: the documents do not mention it. */
  readonly weight: 'deviates' | 'beyond';
  readonly says: string;
  /** What came, unless that was already said. */
  readonly actual: string;
}

/** The size of a request's body, and its text as far as it was kept. */
export interface SentBody {
  readonly size: number;
  /** Undefined when it is too large to be judged. */
  readonly text: string | undefined;
}

const longest = 300;

/** Judges a complete request by the contract of its endpoint. */
export function requestFindings(subject: Subject, body: SentBody): ClientFinding[] {
  return [...queryFindings(subject), ...bodyFindings(subject, body)];
}

function queryFindings({ endpoint, api, query }: Subject): ClientFinding[] {
  const known = new Map(
    Object.entries<Parameter>(endpoint.parameters).filter(([, one]) => one.in === 'query' && holdsIn(one, api)),
  );
  const findings = [...new Set(query.keys())].flatMap((name): ClientFinding[] => {
    const parameter = known.get(name);
    const value = query.get(name) ?? '';
    if (!parameter) return [beyond(`sends the parameter ${name}, which the documents do not name`, value)];
    return value === '' ? [] : valueFindings(name, parameter.schema, value, api);
  });
  const missing = [...known].filter(([name, { required }]) => required === true && !query.has(name));
  return [...findings, ...missing.map(([name]) => deviates(`leaves out the parameter ${name}`, ''))];
}

/** A value of a query: a string that may stand for another type. */
function valueFindings(name: string, schema: Schema, value: string, api: ApiVersion): ClientFinding[] {
  const { type, pattern, contentSchema } = schema;
  const isInteger = type === 'integer';
  if (isInteger && !/^[+-]?\d+$/.test(value))
    return [deviates(`sends ${name} with a value that is not an integer`, value)];
  if (pattern !== undefined && !new RegExp(pattern).test(value)) {
    return [deviates(`sends ${name} with a value that the documents do not describe`, value)];
  }
  // Other spellings are left open (interpretation `flags`).
  if (schema.enum && !schema.enum.includes(value)) return [beyond(`spells ${name} differently`, value)];
  if (!contentSchema) return [];
  const json = parsed(value);
  if (json === undefined) return [deviates(`sends ${name} with a value that is not JSON`, value)];
  return jsonFindings(contentSchema, json, api, `${name}: `);
}

function bodyFindings({ endpoint, api, request }: Subject, { size, text }: SentBody): ClientFinding[] {
  const { body } = endpoint;
  if (!body || !holdsIn(body, api))
    return size > 0 ? [beyond('sends a body that the documents do not mention', '')] : [];
  if (size === 0) return body.required ? [deviates('sends no body', '')] : [];
  const type = headerOf(request.headers, 'Content-Type') ?? 'no Content-Type';
  const isStated = type.split(';')[0]?.trim().toLowerCase() === body.mediaType;
  const findings = isStated ? [] : [deviates(`sends its body with a Content-Type other than ${body.mediaType}`, type)];
  if (!body.schema || text === undefined) return findings;
  const json = parsed(text);
  // Engines take null for a missing body.
  if (json === null) return findings;
  if (!isObject(json)) return [...findings, deviates('sends a body that is not a JSON object', '')];
  return [...findings, ...jsonFindings(body.schema, json, api, '')];
}

function jsonFindings(schema: Schema, json: JsonValue, api: ApiVersion, prefix: string): ClientFinding[] {
  if (!hasOwnShape(resolve(schema), json))
    return [deviates(`${prefix}sends something other than ${describe(schema)}`, show(json))];
  const fields = fieldsOf(schema).filter((field) => holdsIn(field.schema, api));
  const wrong = fields.flatMap((field) => {
    // Null stands for what is not set.
    const value = valuesAt(json, field.path).find((one) => one !== null && !hasOwnShape(field.schema, one));
    if (value === undefined) return [];
    return [
      deviates(
        `${prefix}sends ${field.path} as something other than ${describe(resolve({ ...field.schema, says: '' }))}`,
        show(value),
      ),
    ];
  });
  const unknown = undocumentedPaths(json, schema, api);
  return [...wrong, ...unknown.map((path) => beyond(`${prefix}sends ${path}, which the documents do not name`, ''))];
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function deviates(says: string, actual: string): ClientFinding {
  return { weight: 'deviates', says: cut(says), actual: cut(actual) };
}

function beyond(says: string, actual: string): ClientFinding {
  return { weight: 'beyond', says: cut(says), actual: cut(actual) };
}

/** A client may send texts of any length; the exchange has more of them. */
function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
