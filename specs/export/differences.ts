import { allEndpoints, statedRules } from '../catalogue.ts';
import { type Answer, type Endpoint, endpointTitle } from '../endpoint.ts';
import { describe } from '../fields.ts';
import { fieldsOf, resolve, type Schema } from '../schema.ts';
import { type ApiVersion, atLeast, holdsIn } from '../versions.ts';
import { endpointsIn } from './json-schema.ts';

type Subject =
  | 'endpoint'
  | 'parameter'
  | 'filter'
  | 'body field'
  | 'status'
  | 'answer field'
  | 'answer header'
  | 'rule';

/** One difference between two versions. */
export interface Difference {
  readonly subject: Subject;
  readonly change: 'added' | 'removed' | 'changed';
  /** Method and path; empty for a rule without an endpoint. */
  readonly endpoint: string;
  /** What differs: a parameter, a field, a status; the id of a rule. */
  readonly name: string;
  /** A description, or how it was answered before and is now. */
  readonly what: string;
}

/**
 * The differences between two versions, in the order of the documents. The parts of an endpoint that only one of the
 * versions has are not listed separately.
 */
export function differences(one: ApiVersion, other: ApiVersion): Difference[] {
  const [from, to] = atLeast(other, one) ? [one, other] : [other, one];
  const [before, after] = [byId(from), byId(to)];
  return [...allEndpoints.flatMap(({ id }) => ofEndpoint(before.get(id), after.get(id))), ...ofRules(from, to)];
}

function byId(api: ApiVersion): ReadonlyMap<string, Described> {
  return new Map(endpointsIn(api).map((endpoint) => [endpoint.id, describedEndpoint(endpoint, api)]));
}

/** The parts of an endpoint in one version, each with what it is in words. */
interface Described {
  readonly endpoint: Endpoint;
  readonly parts: ReadonlyMap<string, { readonly subject: Subject; readonly name: string; readonly what: string }>;
}

function describedEndpoint(endpoint: Endpoint, api: ApiVersion): Described {
  const parts = [
    ...Object.entries(endpoint.parameters).flatMap(([name, parameter]) => [
      part('parameter', name, parameter.says),
      ...fieldsIn(parameter.schema.contentSchema, api, parameter.in === 'query' ? 'filter' : 'body field', name),
    ]),
    ...fieldsIn(endpoint.body?.schema, api, 'body field'),
    ...Object.entries(endpoint.answers).flatMap(([status, answers]) => ofAnswer(status, [answers].flat(), api)),
  ];
  return { endpoint, parts: new Map(parts.map((one) => [`${one.subject} ${one.name}`, one])) };
}

function part(subject: Subject, name: string, what: string) {
  return { subject, name, what };
}

function ofAnswer(status: string, answers: readonly Answer[], api: ApiVersion) {
  return answers.flatMap((answer) => [
    part('status', status, [answer.says, bodies[answer.body], answer.mediaType].filter(Boolean).join(', ')),
    ...Object.keys(answer.headers ?? {}).map((name) => part('answer header', name, `with ${status}`)),
    ...fieldsIn(answer.schema, api, 'answer field'),
  ]);
}

const bodies = {
  empty: 'no body',
  object: 'JSON',
  objects: 'JSON objects in a row',
  text: '',
  tar: 'a tar archive',
  octets: 'bytes',
  'raw-stream': 'a raw stream',
  websocket: 'a websocket',
} as const;

function fieldsIn(schema: Schema | undefined, api: ApiVersion, subject: Subject, within?: string) {
  if (!schema) return [];
  const { items } = resolve(schema);
  return fieldsOf(items ?? schema)
    .filter((field) => holdsIn(field.schema, api))
    .map(({ path, schema: field }) => part(subject, within ? `${within}: ${path}` : path, describe(field)));
}

function ofEndpoint(before: Described | undefined, after: Described | undefined): Difference[] {
  const only = after ?? before;
  if (!only) return [];
  if (!before || !after) {
    const { endpoint } = only;
    const change = after ? 'added' : 'removed';
    return [
      { subject: 'endpoint', change, endpoint: endpointTitle(endpoint), name: endpoint.id, what: endpoint.summary },
    ];
  }
  const endpoint = endpointTitle(after.endpoint);
  const names = new Set([...before.parts.keys(), ...after.parts.keys()]);
  const found = [...names].flatMap((name): Difference[] => {
    const [old, now] = [before.parts.get(name), after.parts.get(name)];
    if (old && now) {
      if (old.what === now.what) return [];
      return [{ ...now, change: 'changed', endpoint, what: `${old.what} -> ${now.what}` }];
    }
    const one = now ?? old;
    return one ? [{ ...one, change: now ? 'added' : 'removed', endpoint }] : [];
  });
  return found.filter((difference) => !insideAnother(difference, found));
}

/** A field inside one that was added or removed as a whole needs no line of its own. */
function insideAnother({ subject, change, name }: Difference, all: readonly Difference[]): boolean {
  return all.some(
    (outer) =>
      outer.subject === subject &&
      outer.change === change &&
      outer.name !== name &&
      name.startsWith(outer.name) &&
      /^[.[{]/.test(name.slice(outer.name.length)),
  );
}

/** Rules of the fields and parts above are left out, as they would only repeat them. */
function ofRules(from: ApiVersion, to: ApiVersion): Difference[] {
  return statedRules
    .filter((rule) => !('field' in rule))
    .filter((rule) => rule.endpoint === undefined || (holdsIn(rule.endpoint, from) && holdsIn(rule.endpoint, to)))
    .filter((rule) => holdsIn(rule, from) !== holdsIn(rule, to))
    .map((rule) => ({
      subject: 'rule' as const,
      change: holdsIn(rule, to) ? ('added' as const) : ('removed' as const),
      endpoint: rule.endpoint ? endpointTitle(rule.endpoint) : '',
      name: rule.id,
      what: rule.says,
    }));
}
