import type { Transform } from 'node:stream';
import type { InterpretationId } from '../../specs/interpretations.ts';
import type { Source } from '../../specs/statement.ts';
import type { JsonValue } from '../streams/json.ts';
import type { Transport, WireAnswer, WireHead, WireRequest } from '../transport/wire.ts';

/** Why the documents allow a variation. */
export type Ground =
  /** A sentence leaves it open, or allows it. */
  | { readonly source: Source; readonly because: string }
  /** A loose passage is read this way. */
  | { readonly interpretation: InterpretationId; readonly because: string }
  /** No sentence mentions it. */
  | { readonly notShown: string };

/**
 * One variation that the documents allow, put between the checks and the daemon to prove that no check fails where it
 * must not. Everything else is unchanged.
 */
export interface Latitude {
  readonly name: string;
  /** What the engine does, in words: 'writes its JSON with white space'. */
  readonly says: string;
  readonly ground: Ground;
  /** What it is about, for people: how answers are written, streams, refusals … */
  readonly area: LatitudeArea;
  /** Names of latitudes that contradict it, so that one engine cannot have both. */
  readonly against?: readonly string[];
  /** Translates a request to an engine with names of its own into the names of the real engine. */
  readonly request?: (request: WireRequest) => WireRequest;
  /** Changes the content of a JSON answer, and of each object of a stream. */
  readonly json?: (value: JsonValue, request: WireRequest) => JsonValue;
  /** The endpoint whose JSON is changed, `GET /events`; absent: all. */
  readonly of?: string;
  /** Reformats a JSON text without changing its meaning. */
  readonly layout?: (json: string) => string;
  /** Text that follows each object of a stream. */
  readonly after?: string;
  readonly answer?: (answer: WireAnswer, request: WireRequest) => WireAnswer;
  /** The head of a live answer. */
  readonly head?: (head: WireHead, request: WireRequest) => WireHead;
  /** Whether the head of a live answer comes only with the first bytes of its body. */
  readonly holdsHead?: (request: WireRequest) => boolean;
  /** The bytes of a live answer; undefined: unchanged. */
  readonly incoming?: (head: WireHead, request: WireRequest) => Transform | undefined;
  /** How long the engine takes before it answers, in milliseconds. */
  readonly delayMs?: (request: WireRequest) => number;
  /** The reasons for which rules may be skipped, where the engine cannot do what they ask for; absent: none may be. */
  readonly skips?: RegExp;
  /** Activity at the engine that is not the suite's. */
  readonly company?: (transport: Transport, api: string) => Company;
}

type LatitudeArea =
  | 'answers'
  | 'values'
  | 'names'
  | 'lists'
  | 'events'
  | 'streams'
  | 'archives'
  | 'headers'
  | 'refusals'
  | 'tokens'
  | 'time'
  | 'company';

/** Things that come and go until this is ended. */
export interface Company {
  /** Ends it and removes its remains. */
  end(): Promise<void>;
}
