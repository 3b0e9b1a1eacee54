import fc from 'fast-check';
import { type CheckContext, check } from '../../../harness/check.ts';
import { settled } from '../../../harness/engine/given.ts';
import type { LiveExchange } from '../../../harness/engine/live-exchange.ts';
import { filters } from '../../../harness/engine/query.ts';
import { expect, expectValue } from '../../../harness/expect/expect.ts';
import { on } from '../../../harness/faults/fault.ts';
import { ignoresFilter, ignoresQuery } from '../../../harness/faults/requests.ts';
import { forAll } from '../../../harness/property/for-all.ts';
import type { Trial } from '../../../harness/property/trial.ts';
import { writeJson } from '../../../harness/streams/json.ts';
import type { StatedRuleId } from '../../../specs/stated.ts';
import { atLeast } from '../../../specs/versions.ts';
import { type Event, kindOf } from '../../events/support/event.ts';
import { listen } from '../../events/support/listen.ts';
import { Listener } from '../../events/support/listener.ts';
import {
  type AskedFilter,
  asking,
  type EventFilter,
  inEachForm,
  passes,
  ruleOf,
  rulesOf,
  subjectOf,
  wantedIn,
} from './support/asked-filters.ts';
import { type Kind, kinds, type Life, lifeOf, live, type Thing, wordsOf } from './support/lives.ts';

/** The part of the past to ask for: from one event to another, or an hour before all of them. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly longBefore: boolean;
}

interface Question {
  readonly wanted: readonly EventFilter[];
  readonly span: Span;
}

/** What happens, and what is then asked about it. */
interface Generated {
  readonly happens: readonly Life[];
  readonly questions: readonly Question[];
}

const spans: fc.Arbitrary<Span> = fc.record({
  from: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat({ max: 40 })),
  to: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat({ max: 40 })),
  longBefore: fc.integer({ min: 0, max: 9 }).map((chosen) => chosen === 9),
});

/**
 * The most things, and the most questions about what happened to them. All are in one trial, as each waits for the end of
 * a second. Older versions, which other properties compare with the newest, need less.
 */
const most = { newest: { lives: 12, questions: 72 }, older: { lives: 6, questions: 12 } } as const;

function values({ api, target, generation }: CheckContext): fc.Arbitrary<Generated> {
  // Older versions have events of containers and images only.
  const newest: readonly Kind[] = target.lacks.networking === undefined ? kinds : kinds.slice(0, 3);
  const told = atLeast(api, '1.23') ? newest : kinds.slice(0, 2);
  const question = fc.record({ wanted: wantedIn(api), span: spans });
  const { lives, questions } = api === generation.newest ? most.newest : most.older;
  return fc.record({ happens: several(lifeOf(...told), lives), questions: several(question, questions) });
}

/** One value or more. Two lists together are seldom short. */
function several<Value>(value: fc.Arbitrary<Value>, longest: number): fc.Arbitrary<Value[]> {
  const half = (minLength: number) => fc.array(value, { minLength, maxLength: longest / 2, size: 'max' });
  return fc.tuple(half(1), half(0)).map((halves) => halves.flat());
}

const events = 'GET /events';

check(
  'generated.inputs.event-filters',
  {
    long: true,
    faults: [
      on(events, ignoresFilter('container')),
      on(events, ignoresFilter('event')),
      on(events, ignoresFilter('image')),
      on(events, ignoresQuery('until')),
    ],
  },
  (context) =>
    forAll(context, values(context), { runs: 1, unbiased: true }, async ({ happens, questions }, trial) => {
      const { things, times, happened } = await happening(trial, happens);
      const [first, last] = [Math.min(...times), Math.max(...times) + 1];
      const asked = questions.map(({ wanted, span }) => {
        const chosen = wanted.map((one) => asking(one, things, happened));
        const known = chosen.filter((one) => rulesOf(one, things).every((rule) => trial.holds(rule)));
        return { asked: known, ...boundsOf(span, times) };
      });
      trial.step(`asks for the events ${asked.map(said).join('; ')}`);
      const answers = await Promise.all(asked.map((one) => pastOf(trial, one, one.asked)));
      // The full list to compare with is read last, as a daemon may forget old events meanwhile.
      const all = await pastOf(trial, { since: first, until: last });
      const own = ofThings(all.events, things);
      for (const [place, one] of asked.entries()) {
        const answer = answers[place];
        if (answer) await judge(trial, things, own, one, answer);
      }
    }),
);

/** What happened, as a listener saw it. */
interface Happened {
  readonly things: readonly Thing[];
  /** The times of the events, earliest first. */
  readonly times: readonly number[];
  /** The kinds of the events. */
  readonly happened: readonly string[];
}

/** Makes things and removes them. */
async function happening(trial: Trial, happens: readonly Life[]): Promise<Happened> {
  const listener = await listen(trial.engine);
  const things: Thing[] = [];
  for (const life of happens) {
    trial.step(wordsOf(life));
    things.push(await live(trial.engine, life));
  }
  const newest = things.slice(-1);
  await settled(
    listener.hearsInTime((event) => subjectOf(event, newest) !== undefined),
    'waiting for an event',
  );
  listener.live.drop();
  const own = ofThings(listener.events, things);
  // Not every daemon has events of every kind.
  fc.pre(own.length > 0);
  const times = own.map(({ event: { time } }) => Number(time)).sort((one, other) => one - other);
  return { things, times, happened: [...new Set(own.map(({ event }) => kindOf(event)))] };
}

/** An event, and the thing of the trial that it is about. */
interface Told {
  readonly event: Event;
  readonly subject: Thing;
}

/** Events caused by other clients are ignored. */
function ofThings(events: readonly Event[], things: readonly Thing[]): Told[] {
  return events.flatMap((event) => {
    const subject = subjectOf(event, things);
    return subject ? [{ event, subject }] : [];
  });
}

/** Bounds in Unix seconds. */
interface Bounds {
  readonly since: number;
  readonly until: number;
}

interface Query extends Bounds {
  readonly asked: readonly AskedFilter[];
}

function boundsOf({ from, to, longBefore }: Span, times: readonly number[]): Bounds {
  const since = times[from % times.length] ?? 0;
  // Counted from the last one.
  const until = (times[times.length - 1 - (to % times.length)] ?? 0) + 1;
  const hours = longBefore ? 3_600 : 0;
  return { since: since - 2 * hours, until: Math.max(since + 1, until) - hours };
}

function said({ asked, since, until }: Query): string {
  const conditions = asked.map(({ filter, values }) => `${filter} ${values.map(({ forms }) => forms[0]).join(' or ')}`);
  return `${conditions.join(' and ') || 'of any kind'} since ${since} until ${until}`;
}

/** A stream must end by itself this long after its `until`. */
const endsWithinMs = 5_000;

/** What streams of the past told. */
interface Past {
  readonly events: readonly Event[];
  readonly evidence: readonly LiveExchange[];
}

/** The events of a period that is over, or soon will be, by every form of the filters. */
async function pastOf(trial: Trial, bounds: Bounds, asked: readonly AskedFilter[] = []): Promise<Past> {
  const listeners = await Promise.all(inEachForm(asked).map((map) => pastWith(trial, bounds, map)));
  // Several forms may find the same event.
  const events = new Map(listeners.flatMap((one) => one.events.map((event) => [writeJson({ ...event }), event])));
  return { events: [...events.values()], evidence: listeners.map(({ live }) => live) };
}

async function pastWith(trial: Trial, { since, until }: Bounds, map: Readonly<Record<string, readonly string[]>>) {
  const query = { since, until, ...(Object.keys(map).length > 0 && { filters: filters(map) }) };
  const live = await trial.engine.open('GET', '/events', { query });
  await trial.decides('events.answers-200', () => expect(live).toHaveStatus(200));
  const ended = await live.endsWithin(endsWithinMs);
  await trial.decides('events.since-until', () => expectValue('whether the stream ended', ended, [live]).toBe(true));
  return new Listener(trial.engine, live);
}

/** Judges an answer against all events of the trial. */
async function judge(
  trial: Trial,
  things: readonly Thing[],
  all: readonly Told[],
  { asked, since, until }: Query,
  { events, evidence }: Past,
): Promise<void> {
  const told = ofThings(events, things);
  const outside = told.filter(({ event: { time } }) => Number(time) < since || Number(time) > until);
  await trial.decides('events.since-until', () =>
    expectValue('the events from before and after', outside.map(shown), evidence).toBe([]),
  );
  for (const filter of asked) {
    for (const thing of things) {
      const surplus = told.filter(({ event, subject }) => subject === thing && passes(event, subject, filter) === 'no');
      await trial.decides(ruleOf(filter, thing), () =>
        expectValue(`the events that do not pass ${filter.filter}`, surplus.map(shown), evidence).toBe([]),
      );
    }
  }
  const has = new Set(told.map(keyOf));
  for (const one of all) {
    const { event, subject } = one;
    const isWithin = Number(event.time) >= since && Number(event.time) < until;
    if (!isWithin || !asked.every((filter) => passes(event, subject, filter) === 'yes')) continue;
    await trial.decides(ruleOfMissing(asked, subject), () =>
      expectValue(`whether ${shown(one)} is told`, has.has(keyOf(one)), evidence).toBe(true),
    );
  }
}

/** If a single filter drops the event, that filter is to blame; otherwise the combination is. */
function ruleOfMissing(asked: readonly AskedFilter[], subject: Thing): StatedRuleId {
  const [only] = asked;
  if (!only) return 'events.since-until';
  return asked.length === 1 && only.values.length === 1 ? ruleOf(only, subject) : 'events.filters-map-of-lists';
}

function shown({ event, subject }: Told): string {
  return `${kindOf(event)} of the ${subject.kind} ${subject.names[0]}`;
}

/** What distinguishes one event from another in two streams. */
function keyOf({ event, subject }: Told): string {
  const { time, timeNano } = event;
  return writeJson([kindOf(event), subject.kind, subject.names[0] ?? '', time ?? 0, timeNano ?? 0]);
}
