import type { Result } from '../../harness/events.ts';
import { allEndpoints, isFieldRule } from '../../specs/catalogue.ts';
import { endpointTitle } from '../../specs/endpoint.ts';
import { grouped } from '../grouped.ts';
import type { Seen, Sighting } from './seen.ts';
import { steadyText } from './steady.ts';

/**
 * Groups sightings of the same cause: those that have a key in common, directly or through others. Keys consist of what
 * was seen and what the rules are about; they contain no version, so that a cause is the same in all versions.
 */
export function joined(sightings: readonly Sighting[], results: readonly Result[]): Sighting[][] {
  const deviating = new Set(sightings.flatMap(placesOf));
  const mostly = mostlyLost(sightings, results);
  const parents = sightings.map((_, place) => place);
  const rootOf = (place: number): number => {
    const parent = parents[place] ?? place;
    return parent === place ? place : rootOf(parent);
  };
  const firstWith = new Map<string, number>();
  for (const [place, sighting] of sightings.entries()) {
    for (const key of [...keysOf(sighting, deviating), ...familyOf(sighting, mostly)]) {
      const first = firstWith.get(key);
      if (first === undefined) firstWith.set(key, place);
      else parents[rootOf(place)] = rootOf(first);
    }
  }
  return [...grouped(sightings.keys(), rootOf).values()].map((places) =>
    places.flatMap((place) => sightings[place] ?? []),
  );
}

/** What a sighting may decide for others: a deviating field, or a missing endpoint. */
function placesOf({ seen, result, answer }: Sighting): string[] {
  if (seen.is === 'not-served') return [`not served ${seen.endpoint}`];
  if (seen.is === 'field') return [`field ${seen.endpoint} ${seen.field}`];
  if (seen.is !== 'setting') return [];
  const found = foundAt(result.shown?.from);
  return [`setting ${seen.endpoint} ${seen.field}`, ...(found && answer ? [`found ${answer.endpoint} ${found}`] : [])];
}

/** Fewer lost settings of an endpoint than this are separate causes. */
const manySettings = 4;

/** The endpoints that lose more settings in an object of their body than they keep. */
function mostlyLost(sightings: readonly Sighting[], results: readonly Result[]): ReadonlySet<string> {
  const lost = grouped(
    sightings.filter(({ seen }) => seen.is === 'setting'),
    familyKey,
  );
  const kept = new Set(results.filter(({ verdict }) => verdict === 'pass').map(({ rule }) => rule));
  const isLost = ([prefix, own]: [string, Sighting[]]) => {
    const rules = new Set(own.map(({ result }) => result.rule));
    const siblings = [...kept].filter((rule) => parentOf(rule) === prefix && !rules.has(rule));
    return rules.size >= manySettings && rules.size > siblings.length;
  };
  return new Set([...lost].filter(isLost).map(([prefix]) => prefix));
}

function familyOf(sighting: Sighting, mostly: ReadonlySet<string>): string[] {
  const family = familyKey(sighting);
  return sighting.seen.is === 'setting' && mostly.has(family) ? [`mostly lost ${family}`] : [];
}

function familyKey({ result }: Sighting): string {
  return parentOf(result.rule);
}

function parentOf(rule: string): string {
  return rule.slice(0, rule.lastIndexOf('.'));
}

function keysOf(sighting: Sighting, deviating: ReadonlySet<string>): string[] {
  return [...keysOfSeen(sighting, deviating), ...keysOfRule(sighting)];
}

function keysOfSeen(sighting: Sighting, deviating: ReadonlySet<string>): string[] {
  const { seen, result } = sighting;
  switch (seen.is) {
    case 'not-served':
      return [`not served ${seen.endpoint}`];
    case 'no-answer':
      return [`no answer ${seen.endpoint} ${seen.failure}`];
    case 'refusal': {
      if (deviating.has(`not served ${seen.endpoint}`)) return [`not served ${seen.endpoint}`];
      // What is not found was not made: the cause is in the operation that should have made it.
      const of = seen.status === 404 ? (result.endpoint ?? '') : '';
      return [`refusal ${of} ${seen.endpoint} ${seen.status} ${withoutValues(seen.message, result.rule)}`];
    }
    case 'other-refusal':
      // A daemon that answers wrong requests as its own failures does so at several endpoints.
      return isOwnFailure(seen) ? [`other refusal ${seen.status}`] : [`other refusal ${seen.endpoint}`];
    case 'other-success':
      return [`other success ${seen.endpoint} ${seen.status} ${seen.wanted}`];
    case 'accepted':
      return [`accepted ${result.endpoint === undefined ? result.area : seen.endpoint} ${seen.subject}`];
    case 'no-json':
      return [`no JSON ${seen.endpoint}`];
    case 'header':
      return [`header ${seen.name} ${seen.came ?? ''}`];
    case 'events':
      return [`events of ${seen.of}`];
    case 'attribute':
      return [seen.name === 'labels' ? 'labels of events' : `attributes of ${seen.of}`];
    case 'field':
    case 'setting':
      return [...keysOfField(sighting, seen, deviating)];
    case 'otherwise':
      return seen.steady === '' ? [] : [`came ${seen.endpoint} ${seen.steady}`];
    case 'not-reached':
      return [`not reached ${seen.reason}`];
  }
}

/** Whether the daemon says that it failed, where the documents say that the request is wrong. */
function isOwnFailure({ status, wanted }: Extract<Seen, { is: 'other-refusal' }>): boolean {
  return status >= 500 && !/\b5/.test(wanted);
}

/** A message without numbers, and without the value of the filter that a rule is named after. */
function withoutValues(message: string, rule: string): string {
  const value = /\.filters\.\w+-(\w+)$/.exec(rule)?.[1];
  return message.replace(/\w+/g, (word) => (word === value ? '…' : word)).replace(/\d+/g, '…');
}

function* keysOfField(
  { result, answer }: Sighting,
  { is, endpoint, field, manner }: Extract<Seen, { is: 'field' | 'setting' }>,
  deviating: ReadonlySet<string>,
): Generator<string> {
  yield `${is} ${endpoint} ${field}`;
  // A field inside a deviating one cannot be right.
  const inside = ancestorsOf(field).filter((ancestor) => deviating.has(`${is} ${endpoint} ${ancestor}`));
  for (const ancestor of inside) yield `${is} ${endpoint} ${ancestor}`;
  // A setting is looked up in a field of another answer. A setting of an image that is looked up in a container can get
  // lost in more places.
  const found = answer && areas.get(answer.endpoint) === result.area ? foundAt(result.shown?.from) : undefined;
  if (is === 'setting' && found !== undefined && answer) yield `field ${answer.endpoint} ${found}`;
  if (inside.length > 0 || result.verdict === 'blocked') return;
  const parent = ancestorsOf(field).at(-1) ?? '';
  if (is === 'setting') {
    // When all flags, or all texts, are lost, they are lost in one place.
    if (manner === 'other') yield `${is}s ${endpoint} ${parent} ${steadyValue(result.actual)}`;
    return;
  }
  if (deviating.has(`found ${endpoint} ${field}`)) return;
  yield `${is}s ${endpoint} ${parent} ${manner}`;
  // The same object occurs in lists and alone.
  if (parent !== '') yield `${is}s of ${result.area} ${field} ${manner}`;
}

/** The areas of the endpoints, by their titles. */
const areas: ReadonlyMap<string, string> = new Map(
  allEndpoints.map((endpoint) => [endpointTitle(endpoint), endpoint.id.split('.')[0] ?? '']),
);

/** `State` and `State.Health` for `State.Health.Log[]`. */
function ancestorsOf(field: string): string[] {
  const parts = field.split('.');
  const ancestors = parts.slice(1).map((_, place) => parts.slice(0, place + 1).join('.'));
  return ancestors.flatMap((ancestor) => {
    const itself = ancestor.replace(/(?:\[\]|\{\})+$/, '');
    return itself === ancestor ? [ancestor] : [itself, ancestor];
  });
}

function foundAt(from: NonNullable<Sighting['result']['shown']>['from']): string | undefined {
  if (from?.part !== 'json') return undefined;
  return from.at[0]?.map((step) => (/^\d+$/.test(step) ? '[]' : step)).join('.');
}

function steadyValue(actual: string): string {
  return /^\[?(false|true|0|""|\[\])\]?$/.exec(actual)?.[1] ?? actual;
}

/** What rules have in common by their subject: the same part of the contract, judged in several ways. */
function keysOfRule({ seen, result, rule }: Sighting): string[] {
  if (!rule || seen.is === 'not-reached' || result.verdict === 'blocked') return [];
  const last = rule.id.split('.').at(-1) ?? '';
  const { endpoint } = rule;
  const keys: string[] = [];
  // The part of a rule id that names a setting of an endpoint, and the field of its body: `config.mac-address` and
  // `body.MacAddress`.
  if (endpoint?.body && /\.(config|host-config|body)\./.test(rule.id)) {
    keys.push(`of body ${endpoint.id} ${last.replaceAll('-', '').toLowerCase()}`);
  }
  if (isFieldRule(rule)) return keys;
  if (seen.is === 'otherwise') keys.push(`about ${seen.endpoint} ${seen.subject}`, ...matterOf(seen, result));
  if (endpoint && rule.kind !== 'status' && /[-.]|^[A-Z]/.test(last)) keys.push(`on ${endpoint.path} ${last}`);
  if (rule.kind === 'limit' || rule.kind === 'auth') keys.push(`${rule.kind} ${rule.area} ${last}`);
  if (last === 'empty-body') keys.push(`${last} ${rule.area} ${result.actual}`);
  return keys;
}

/**
 * What was examined, where several rules differ only in the parameter or the thing that their ids name: `… of the
 * terminal after a restart`, `the drivers of the networks named …`.
 */
function matterOf({ endpoint, subject }: Extract<Seen, { is: 'otherwise' }>, { expected, rule }: Result): string[] {
  const [matter = ''] = steadyText(expected).split(': ');
  const named = [subject, /-(\w+)$/.exec(rule)?.[1]];
  const words = matter.split(' ').map((word) => (named.includes(word.split('=')[0]) ? '…' : word));
  const without = words.join(' ');
  return without === matter ? [] : [`matter ${endpoint} ${without}`];
}
