import type { Container } from '../../../harness/engine/container.ts';
import { makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import { Exchange } from '../../../harness/engine/exchange.ts';
import { given } from '../../../harness/engine/given.ts';
import type { LiveExchange } from '../../../harness/engine/live-exchange.ts';
import { isObject } from '../../../harness/streams/json-path.ts';
import { ObjectDecoder, ObjectViolation } from '../../../harness/streams/objects.ts';
import { currentJudgement } from '../../../harness/verdict/judgement.ts';
import { Deviation } from '../../../harness/verdict/outcomes.ts';
import { type Event, isAbout, kindOf } from './event.ts';

/** After this time an event is considered lost. */
const lateMs = 10_000;
/** How long an event may be delayed behind a later one of another object. */
const outOfOrderMs = 1_000;

/** A client of the event stream, with the events received so far. */
export class Listener {
  readonly live: LiveExchange;
  readonly #engine: Engine;
  readonly #decoder = new ObjectDecoder();
  readonly #events: Event[] = [];
  /** Containers that were made to mark a time, and not yet removed to mark another. */
  readonly #markers: Container[] = [];
  #read = 0;

  constructor(engine: Engine, live: LiveExchange) {
    this.#engine = engine;
    this.live = live;
  }

  /** The events so far. @throws Deviation when the stream is not a sequence of objects */
  get events(): readonly Event[] {
    const { received } = this.live;
    const fresh = received.subarray(this.#read);
    this.#read = received.length;
    try {
      for (const { value } of this.#decoder.push(fresh)) if (isObject(value)) this.#events.push(value);
    } catch (error) {
      if (!(error instanceof ObjectViolation)) throw error;
      currentJudgement().judged([this.live.id]);
      throw new Deviation('JSON objects one after another', error.message);
    }
    return this.#events;
  }

  about(...refs: readonly string[]): Event[] {
    return this.events.filter((event) => isAbout(event, ...refs));
  }

  /** Whether an event has come, or comes within a time. Each event is examined once. */
  hears(wanted: (event: Event) => boolean, withinMs = lateMs): Promise<boolean> {
    let looked = 0;
    let heard = false;
    return this.live.satisfiesWithin(withinMs, () => {
      const { events } = this;
      for (; !heard && looked < events.length; looked++) heard = wanted(events[looked] ?? {});
      return heard;
    });
  }

  /**
   * Whether an event comes, on a stream without filters. Stops waiting soon after an event of a container that is made
   * or removed for this purpose.
   */
  async hearsInTime(wanted: (event: Event) => boolean): Promise<boolean> {
    if (await this.hears(wanted, 200)) return true;
    await this.#hearsMark(wanted);
    // Nothing is delayed behind a later event where none has come.
    return this.events.length > 0 && this.hears(wanted, outOfOrderMs);
  }

  /** Waits for an event, or for one of a marker: its making marks a time, its removal another. */
  async #hearsMark(wanted: (event: Event) => boolean): Promise<void> {
    const made = this.#markers.pop();
    const marker = made ?? (await makeContainer(this.#engine));
    const isOfMarker = (event: Event) => isAbout(event, marker.id);
    if (!made && (await this.hears((event) => wanted(event) || isOfMarker(event), outOfOrderMs))) {
      this.#markers.push(marker);
      return;
    }
    await given(marker.remove(), 204);
    await this.hears((event) => wanted(event) || (isOfMarker(event) && kindOf(event) !== 'create'));
  }

  /** Waits for an event that is needed, on a stream without filters. @throws Deviation when it does not come */
  async needs(what: string, wanted: (event: Event) => boolean): Promise<void> {
    if (await this.hearsInTime(wanted)) return;
    currentJudgement().judged([this.live.id]);
    throw new Deviation(`the event ${what}`, this.events.length === 0 ? 'no event' : 'other events only');
  }

  /** Events as an exchange to be judged. */
  exchangeOf(events: readonly Event[]): Exchange {
    const { id, request, status } = this.live;
    const head = { status, headers: [], body: Buffer.alloc(0) };
    return new Exchange(id, request, head, this.#engine.target.dialect).narrowedTo([...events]);
  }
}
