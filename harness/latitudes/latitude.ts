import type { Transform } from 'node:stream';
import type { InterpretationId } from '../../specs/interpretations.ts';
import type { Source } from '../../specs/statement.ts';
import type { JsonValue } from '../streams/json.ts';
import type { Transport, WireAnswer, WireHead, WireRequest } from '../transport/wire.ts';

/** Why the documents allow a variation. */
export type Ground =
  /** A sentence leaves it open, or says so. */
  | { readonly source: Source; readonly because: string }
  /** It is how a loose place is read. */
  | { readonly interpretation: InterpretationId; readonly because: string }
  /** No sentence speaks of it. */
  | { readonly notShown: string };

/**
 * One variation that the documents allow, put between the checks and the daemon to prove that no check fails where it
 * must not. Whatever is not named stays as it is.
 */
export interface Latitude {
  readonly name: string;
  /** What the engine does, in words: 'writes its JSON with white space'. */
  readonly says: string;
  readonly ground: Ground;
  /** What it is about, for people: how answers are written, streams, refusals … */
  readonly area: LatitudeArea;
  /** Names of latitudes that say the contrary, so that one engine cannot have both. */
  readonly against?: readonly string[];
  /** What an engine of its own names is asked, in the names of the engine behind the latitude. */
  readonly request?: (request: WireRequest) => WireRequest;
  /** Changes what a JSON answer says, and each object of a stream. */
  readonly json?: (value: JsonValue, request: WireRequest) => JsonValue;
  /** The endpoint whose JSON is changed, `GET /events`; every one when absent. */
  readonly of?: string;
  /** Writes a JSON text otherwise. It means the same. */
  readonly layout?: (json: string) => string;
  /** What follows each object of a stream. */
  readonly after?: string;
  readonly answer?: (answer: WireAnswer, request: WireRequest) => WireAnswer;
  /** The head of a live answer. */
  readonly head?: (head: WireHead, request: WireRequest) => WireHead;
  /** The bytes of a live answer; undefined leaves them. */
  readonly incoming?: (head: WireHead, request: WireRequest) => Transform | undefined;
  /** How long the engine takes before it answers, in milliseconds. */
  readonly delayMs?: (request: WireRequest) => number;
  /** What goes on at the engine meanwhile that is not the suite's. */
  readonly company?: (transport: Transport, api: string) => Company;
}

type LatitudeArea =
  | 'answers'
  | 'values'
  | 'names'
  | 'lists'
  | 'events'
  | 'streams'
  | 'headers'
  | 'refusals'
  | 'tokens'
  | 'time'
  | 'company';

/** Things that come and go until it is ended. */
export interface Company {
  /** Ends it and removes what is left of it. */
  end(): Promise<void>;
}
