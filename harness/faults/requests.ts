import { randomUUID } from 'node:crypto';
import type { JsonValue } from '../streams/json.ts';
import { parseJson, writeJson } from '../streams/json.ts';
import { isObject } from '../streams/json-path.ts';
import type { WireRequest } from '../transport/wire.ts';
import { answersStatus } from './answers.ts';
import type { Fault } from './fault.ts';

/** Acts as if the query parameter had not been sent. */
export function ignoresQuery(parameter: string): Fault {
  return changesQuery(`ignores the parameter ${parameter}`, (query) => query.delete(parameter));
}

/** Acts as if the query parameter had not been sent, where another one is not sent with it. */
export function ignoresQueryWithout(parameter: string, other: string): Fault {
  return changesQuery(`ignores the parameter ${parameter} without ${other}`, (query) => {
    if (!query.has(other)) query.delete(parameter);
  });
}

/** Acts as if the header had not been sent. */
export function ignoresHeader(header: string): Fault {
  return {
    name: `ignores the header ${header}`,
    request: (request) => {
      const others = Object.entries(request.headers).filter(([name]) => name.toLowerCase() !== header.toLowerCase());
      return { ...request, headers: Object.fromEntries(others) };
    },
  };
}

/** Keeps using the first value of a header for a host and port, whatever is sent later. */
export function keepsFirstHeader(header: string): Fault {
  const first = new Map<string, string>();
  return {
    name: `keeps to the first ${header} for a registry`,
    request: (request) => {
      const host = /127\.0\.0\.1(?:%3A|:)\d+/.exec(request.path)?.[0] ?? '';
      const [name, value] =
        Object.entries(request.headers).find(([one]) => one.toLowerCase() === header.toLowerCase()) ?? [];
      if (name === undefined || value === undefined) return request;
      const kept = first.get(host) ?? String(value);
      first.set(host, kept);
      return { ...request, headers: { ...request.headers, [name]: kept } };
    },
  };
}

/** Accepts a header only when its value has this form, and otherwise acts as if it had not been sent. */
export function knowsHeaderOnlyAs(header: string, form: RegExp): Fault {
  const { request } = ignoresHeader(header);
  const valueIn = ({ headers }: WireRequest) =>
    Object.entries(headers).find(([name]) => name.toLowerCase() === header.toLowerCase())?.[1] ?? '';
  return {
    name: `knows ${header} only as ${form}`,
    request: (sent) => (form.test(String(valueIn(sent))) ? sent : (request?.(sent) ?? sent)),
  };
}

/** Acts as if the query parameter had this value, whatever was sent. */
export function takesQueryAs(parameter: string, value: string): Fault {
  return changesQuery(`takes ${parameter} as ${value}`, (query) => query.set(parameter, value));
}

/** Acts as if a number had been half as large, at least 1. */
export function halvesQuery(parameter: string): Fault {
  return changesQuery(`takes half of ${parameter}`, (query) => {
    const value = Number(query.get(parameter));
    query.set(parameter, String(Math.max(1, Math.floor(value / 2))));
  });
}

/** Acts as if a number had been twice as large. */
export function doublesQuery(parameter: string): Fault {
  return changesQuery(`takes twice ${parameter}`, (query) => {
    if (query.has(parameter)) query.set(parameter, String(2 * Number(query.get(parameter))));
  });
}

/** Takes 0 for a parameter that was not sent. */
export function ignoresZero(parameter: string): Fault {
  return changesQuery(`ignores a ${parameter} of 0`, (query) => {
    if (query.get(parameter) === '0') query.delete(parameter);
  });
}

/** Refuses values that do not match a pattern, but still does what was asked, with a value of its own. */
export function refusesAndDoes(parameter: string, good: RegExp, done: number): Fault {
  const refused = new WeakSet<WireRequest>();
  const { answer: refusal } = answersStatus(400, done);
  const { request: change } = changesQuery('', (query) => query.set(parameter, `ec-${randomUUID()}`));
  return {
    name: `refuses some values of ${parameter}, and does it all the same`,
    request: (request) => {
      const value = new URLSearchParams(request.path.split('?')[1]).get(parameter);
      if (value === null || good.test(value)) return request;
      refused.add(request);
      return change?.(request) ?? request;
    },
    answer: (answer, request) => (refused.has(request) ? (refusal?.(answer, request) ?? answer) : answer),
  };
}

/** Acts as if the query parameter had this value where it is absent. */
export function takesMissingAs(parameter: string, value: string): Fault {
  return changesQuery(`takes a missing ${parameter} as ${value}`, (query) => {
    if (!query.has(parameter)) query.set(parameter, value);
  });
}

/** Honours a query parameter only in the given spellings. */
export function knowsOnly(parameter: string, ...spellings: readonly string[]): Fault {
  return changesQuery(`knows ${parameter} only as ${spellings.join(', ')}`, (query) => {
    if (!spellings.includes(query.get(parameter) ?? '')) query.delete(parameter);
  });
}

/** Acts as if one name in the `filters` parameter had not been sent. */
export function ignoresFilter(filter: string): Fault {
  return changesFilters(`ignores the filter ${filter}`, ({ [filter]: _ignored, ...others }) => others);
}

/** Acts as if one name in the `filters` parameter had this value, where it was sent. */
export function takesFilterAs(filter: string, value: string): Fault {
  return changesFilters(`takes the filter ${filter} as ${value}`, (filters) =>
    filter in filters ? { ...filters, [filter]: [value] } : filters,
  );
}

function changesFilters(
  name: string,
  change: (filters: Readonly<Record<string, JsonValue>>) => Record<string, JsonValue>,
): Fault {
  return changesQuery(name, (query) => {
    const filters = parseJson(query.get('filters') ?? '{}');
    if (isObject(filters)) query.set('filters', writeJson(change(filters)));
  });
}

/** Changes each chunk of a body with chunked encoding. */
export function chunkByChunk(name: string, change: (chunk: Buffer, place: number) => Buffer): Fault {
  return {
    name,
    request: (request) => {
      const { body, cuts } = request;
      if (!body || !cuts) return request;
      const chunks = [0, ...cuts].map((from, place) => body.subarray(from, cuts[place] ?? body.length));
      return { ...request, body: Buffer.concat(chunks.map(change)) };
    },
  };
}

/** Acts as if a member of the JSON body, at any depth, were absent. */
export function ignoresBodyField(path: string): Fault {
  return changesBodyField(`ignores ${path}`, path, () => undefined);
}

/** Acts as if a member of the JSON body had this value. */
export function takesBodyFieldAs(path: string, value: JsonValue): Fault {
  return changesBodyField(`takes ${path} as ${JSON.stringify(value)}`, path, () => value);
}

/** Takes only the first of a list, or of a map, in the JSON body. */
export function takesFirstOf(path: string): Fault {
  return changesBodyField(`takes the first of ${path} only`, path, (value) => {
    if (Array.isArray(value)) return value.slice(0, 1);
    return isObject(value) ? Object.fromEntries(Object.entries(value).slice(0, 1)) : value;
  });
}

/** Finds what a member of the JSON body names only when the name has this form. */
export function knowsBodyFieldOnlyAs(path: string, form: RegExp): Fault {
  return changesBodyField(`knows ${path} only as ${form}`, path, (value) =>
    typeof value === 'string' && form.test(value) ? value : 'ec-unknown',
  );
}

/** Completes a truncated JSON object. */
export function mendsCutBody(): Fault {
  return {
    name: 'takes a JSON object that is cut off',
    request: (request) => {
      const text = request.body?.toString('utf8') ?? '';
      if (!text.startsWith('{')) return request;
      try {
        parseJson(text);
        return request;
      } catch {
        return { ...request, body: Buffer.from(`${text}}`) };
      }
    },
  };
}

/** Answers as if it had done the operation, without doing it. */
export function swallows(status: number, body = ''): Fault {
  const headers = body.startsWith('{') || body.startsWith('[') ? [['Content-Type', 'application/json'] as const] : [];
  return {
    name: `answers ${status} without doing it`,
    request: () => ({ instead: { status, headers, body: Buffer.from(body) } }),
  };
}

const identifierInPath = /\/(?:containers|networks)\/[0-9a-f]{12,64}(?:[/?]|$)/;
const unknown = { instead: { status: 404, headers: [], body: Buffer.from('there is no such thing') } };

/** Finds containers and networks only by identifier: a name in the path is answered with 404. */
export function knowsOnlyIdentifiers(): Fault {
  return {
    name: 'knows no names',
    request: (request) => (identifierInPath.test(request.path) ? request : unknown),
  };
}

/** Finds containers and networks only by name: an identifier in the path is answered with 404. */
export function knowsOnlyNames(): Fault {
  return {
    name: 'knows no identifiers',
    request: (request) => (identifierInPath.test(request.path) ? unknown : request),
  };
}

/** Does another operation instead: `doesInstead('/kill', '/stop')` rewrites the path. */
export function doesInstead(from: string, to: string): Fault {
  return {
    name: `does ${to} instead of ${from}`,
    request: (request) => ({ ...request, path: request.path.replace(from, to) }),
  };
}

function changesQuery(name: string, change: (query: URLSearchParams) => void): Fault {
  return {
    name,
    request: (request) => {
      const [path = '', search = ''] = request.path.split('?');
      const query = new URLSearchParams(search);
      change(query);
      const rest = query.toString();
      return { ...request, path: rest ? `${path}?${rest}` : path };
    },
  };
}

/** Changes a member of the JSON body, at any depth; undefined leaves it out. */
export function changesBodyField(
  name: string,
  path: string,
  change: (value: JsonValue | undefined) => JsonValue | undefined,
): Fault {
  return { name, request: (request) => withJson(request, (json) => edited(json, path.split('.'), change)) };
}

function withJson(request: WireRequest, change: (json: JsonValue) => JsonValue): WireRequest {
  if (!request.body) return request;
  return { ...request, body: Buffer.from(writeJson(change(parseJson(request.body.toString('utf8'))))) };
}

/** Request bodies are edited by plain member names; list and map markers in a field's path are followed. */
function edited(
  json: JsonValue,
  steps: readonly string[],
  change: (value: JsonValue | undefined) => JsonValue | undefined,
): JsonValue {
  const [step = '', ...rest] = steps;
  if (Array.isArray(json)) return json.map((item) => edited(item, steps, change));
  if (!isObject(json)) return json;
  const [, name = '', markers = ''] = /^(.*?)((?:\[\]|\{\})*)$/.exec(step) ?? [];
  const inner = json[name];
  if (rest.length === 0) {
    const { [name]: _old, ...others } = json;
    const value = change(inner);
    return value === undefined ? others : { ...others, [name]: value };
  }
  if (inner === undefined) return json;
  if (!markers.startsWith('{}')) return { ...json, [name]: edited(inner, rest, change) };
  if (!isObject(inner)) return json;
  const values = Object.entries(inner).map(([key, value]) => [key, edited(value, rest, change)] as const);
  return { ...json, [name]: Object.fromEntries(values) };
}
