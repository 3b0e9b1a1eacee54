import fc from 'fast-check';
import { writeJson } from '../../../../harness/streams/json.ts';
import type { StatedRuleId } from '../../../../specs/stated.ts';
import type { eventFilters } from '../../../../specs/system/event-filters.ts';
import { type ApiVersion, atLeast } from '../../../../specs/versions.ts';
import { type Event, isAbout, kindOf, withoutPrefix } from '../../../events/support/event.ts';
import { ofValues, type Passing, passingIf } from '../../lists/support/filter-results.ts';
import { type Kind, labelKey, labelValues, type Thing } from './lives.ts';

type FilterName = keyof typeof eventFilters;

/** A filter that is generated before the things exist that it refers to: numbers choose among them later. */
export type EventFilter =
  | { readonly of: 'thing' | 'event' | 'type'; readonly values: readonly number[] }
  | { readonly of: 'label'; readonly values: readonly string[] };

/** A filter as it is sent. */
export interface AskedFilter {
  readonly filter: FilterName;
  readonly values: readonly Value[];
}

/** One value of a filter. */
interface Value {
  /** A thing has every form of its names and identifiers: which of them match is not stated. */
  readonly forms: readonly string[];
  /** The thing that it refers to, if any. */
  readonly thing?: Thing;
}

/** One or two of the filters that the version has, each with one or two values. */
export function wantedIn(api: ApiVersion): fc.Arbitrary<EventFilter[]> {
  const some = <T>(value: fc.Arbitrary<T>) =>
    fc.uniqueArray(value, { minLength: 1, maxLength: 2, selector: (one) => JSON.stringify(one) });
  // Only labels with key and value are judged.
  const labels = fc.oneof(fc.constant(labelKey), {
    weight: 4,
    arbitrary: fc.constantFrom(...labelValues).map((value) => `${labelKey}=${value}`),
  });
  const things = fc.record({ of: fc.constant('thing' as const), values: some(fc.nat({ max: 11 })) });
  const events = fc.record({ of: fc.constant('event' as const), values: some(fc.nat({ max: 9 })) });
  const types = fc.record({ of: fc.constant('type' as const), values: some(fc.nat({ max: 11 })) });
  const labelled = fc.record({ of: fc.constant('label' as const), values: some(labels) });
  const any: fc.Arbitrary<EventFilter> = fc.oneof(
    things,
    events,
    ...(atLeast(api, '1.21') ? [{ weight: 2, arbitrary: labelled }] : []),
    ...(atLeast(api, '1.23') ? [types] : []),
  );
  return fc.uniqueArray(any, { minLength: 1, maxLength: 2, selector: ({ of }) => of });
}

/**
 * A filter on what happened.
 * @param happened the kinds of events that occurred
 */
export function asking(wanted: EventFilter, things: readonly Thing[], happened: readonly string[]): AskedFilter {
  const chosen = (from: readonly string[], numbers: readonly number[]) =>
    [...new Set(numbers.flatMap((number) => from[number % from.length] ?? []))].map((text) => ({ forms: [text] }));
  switch (wanted.of) {
    case 'event':
      return { filter: 'event', values: chosen(happened, wanted.values) };
    case 'type':
      return {
        filter: 'type',
        values: chosen(
          things.map(({ kind }) => kind),
          wanted.values,
        ),
      };
    case 'label':
      return { filter: 'label', values: wanted.values.map((text) => ({ forms: [text] })) };
    case 'thing':
      return askingFor(wanted.values, things);
  }
}

/** All values of a filter refer to things of one kind, that of the first. */
function askingFor(numbers: readonly number[], things: readonly Thing[]): AskedFilter {
  const named = numbers.flatMap((number) => {
    const thing = things[number % things.length];
    return thing ? [{ thing, forms: formsOf(thing) }] : [];
  });
  const filter = named[0]?.thing.kind ?? 'container';
  return { filter, values: named.filter(({ thing }) => thing.kind === filter) };
}

function formsOf({ ids, names }: Thing): readonly string[] {
  return [...new Set([...ids, ...ids.map(withoutPrefix), ...names])];
}

/** The filters as they are sent, once for each form of the things: one of the forms has to work. */
export function inEachForm(asked: readonly AskedFilter[]): Readonly<Record<string, readonly string[]>>[] {
  const counts = asked.flatMap(({ values }) => values.map(({ forms }) => forms.length));
  const inForm = (place: number) =>
    asked.map(
      ({ filter, values }) => [filter, values.flatMap(({ forms }) => forms[place % forms.length] ?? [])] as const,
    );
  return Array.from({ length: Math.max(1, ...counts) }, (_, place) => Object.fromEntries(inForm(place)));
}

/** The thing of the trial that an event is about; undefined for an event caused by another client. */
export function subjectOf(event: Event, things: readonly Thing[]): Thing | undefined {
  const { Type } = event;
  return things.find(({ kind, ids, names }) => (Type ?? kind) === kind && isAbout(event, ...ids, ...names));
}

/** Whether an event about a thing matches a filter. Only for `label` can one event match two values. */
export function passes(event: Event, subject: Thing, { filter, values }: AskedFilter): Passing {
  return ofValues(
    values.map((value) => passesOne(event, subject, filter, value)),
    filter !== 'label',
  );
}

function passesOne(event: Event, subject: Thing, filter: FilterName, { forms, thing }: Value): Passing {
  const [text = ''] = forms;
  switch (filter) {
    case 'event':
      return passingIf(text === kindOf(event));
    case 'type':
      return passingIf(text === (event.Type ?? subject.kind));
    case 'label':
      return hasLabel(event, subject, text);
    default:
      return thing ? isNamed(event, subject, forms, thing) : 'no';
  }
}

/** A deleted image has no labels any more; and whether a key alone may be asked for is not stated. */
function hasLabel(event: Event, { kind, label }: Thing, asked: string): Passing {
  if (label === null || (kind !== 'container' && kind !== 'image')) return 'no';
  if (asked === labelKey) return 'open';
  if (asked !== `${labelKey}=${label}`) return 'no';
  return kindOf(event) === 'delete' ? 'open' : 'yes';
}

/** Whether an event that mentions the thing beside another is one of its events is not stated. */
function isNamed(event: Event, subject: Thing, forms: readonly string[], thing: Thing): Passing {
  if (subject === thing) return 'yes';
  const texts = [writeJson({ ...event }), ...subject.ids, ...subject.names];
  return forms.some((form) => texts.some((text) => text.includes(form))) ? 'open' : 'no';
}

/** The rule by which a filter is judged on an event about a thing. */
export function ruleOf({ filter, values }: AskedFilter, subject: Thing): StatedRuleId {
  if (filter === 'label')
    return subject.kind === 'image' ? 'events.filters.label-image' : 'events.filters.label-container';
  if (filter !== 'type') return `events.filters.${filter}`;
  const types = values.flatMap(({ forms }) => forms);
  const type = types.includes(subject.kind) ? subject.kind : types.find(isType);
  return `events.filters.type-${type ?? subject.kind}`;
}

function isType(text: string): text is Kind {
  return text === 'container' || text === 'image' || text === 'volume' || text === 'network';
}

/** Every rule by which a filter may be judged. */
export function rulesOf(asked: AskedFilter, things: readonly Thing[]): StatedRuleId[] {
  return things.map((thing) => ruleOf(asked, thing));
}
