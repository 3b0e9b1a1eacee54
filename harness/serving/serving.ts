import { type Endpoint, endpointTitle } from '../../specs/endpoint.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import type { Engine, RequestOptions } from '../engine/engine.ts';
import type { Answered, Exchange } from '../engine/exchange.ts';
import { textMemberIn } from '../streams/json.ts';
import { TransportError } from '../transport/errors.ts';
import { Judgement, withJudgement } from '../verdict/judgement.ts';
import { Blocked, Deviation, NotApplicable } from '../verdict/outcomes.ts';
import { type Absence, mayBeAbsent } from './absence.ts';
import { aboutExisting } from './existing.ts';
import { harmless, nowhere, pathOfNothing } from './harmless.ts';

/** An engine for one question, and how the question ends. */
export interface AskedWith {
  readonly engine: Engine;
  /** @param isAbsent whether what was asked shows that an endpoint is not served */
  end(isAbsent: boolean): Promise<void>;
}

/** Finds out which endpoints a daemon serves, once for each version, on demand. */
export class Serving {
  readonly #ask: (api: ApiVersion) => AskedWith;
  readonly #known = new Map<string, Promise<Absence | undefined>>();

  /** @param ask returns an engine for one question; it must not itself ask what is served */
  constructor(ask: (api: ApiVersion) => AskedWith) {
    this.#ask = ask;
  }

  /** How the daemon shows that it does not serve an endpoint; undefined when it does, or when that is not clear. */
  absence(endpoint: Endpoint, api: ApiVersion): Promise<Absence | undefined> {
    const key = `${endpointTitle(endpoint)} ${api}`;
    const known = this.#known.get(key) ?? this.#find(endpoint, api);
    this.#known.set(key, known);
    return known;
  }

  async #find(endpoint: Endpoint, api: ApiVersion): Promise<Absence | undefined> {
    const asked = this.#ask(api);
    let absence: Absence | undefined;
    try {
      absence = await withJudgement(new Judgement(api), () => find(endpoint, asked.engine));
    } catch (error) {
      // Missing or unintelligible answers are for the checks to judge.
      if (!isOfTheDaemon(error)) throw error;
    } finally {
      await asked.end(absence !== undefined);
    }
    return absence;
  }
}

async function find(endpoint: Endpoint, engine: Engine): Promise<Absence | undefined> {
  const title = endpointTitle(endpoint);
  const path = pathOfNothing(endpoint.path, engine);
  // A stream may go on for any length of time, and the head shows whether it is one.
  const live = await engine.open(endpoint.method, path, shortened(harmless(title, engine)));
  if (!mayBeAbsent(live.status)) return undefined;
  const answer = await live.whole();
  const named = [...engine.names, nowhere, 'NO NAME'];
  if (answer.status === 404 && namesWhatIsMissing(answer, path, named)) return undefined;
  const absence = (shown: Answered) => ({ endpoint: title, said: said(answer, path, named), evidence: shown.id });
  // Pulls and imports are separate: a daemon may lack only one of them.
  if (answer.status !== 404 && title !== 'POST /images/create') return absence(answer);
  const again = await askAboutExisting(title, engine);
  if (again === 'about nothing') return absence(answer);
  if (again !== undefined) return mayBeAbsent(again.status) ? absence(again) : undefined;
  return (await isUnknownPage(answer, path, named, engine)) ? absence(answer) : undefined;
}

/** The evidence that an endpoint is not served is shown to people, so it contains no archive. */
function shortened({ body, ...options }: RequestOptions): RequestOptions {
  return body === undefined ? options : { ...options, body: Buffer.from(body).subarray(0, 8) };
}

/** Requests something that exists; undefined where nothing can exist. */
async function askAboutExisting(title: string, engine: Engine): Promise<Answered | 'about nothing' | undefined> {
  try {
    const existing = await aboutExisting(title, engine);
    if (!existing) return 'about nothing';
    const [method = ''] = title.split(' ');
    // For a stream the head is enough.
    const live = await engine.open(method, existing.path, existing.options);
    live.drop();
    return live;
  } catch (error) {
    if (isOfTheDaemon(error)) return undefined;
    throw error;
  }
}

function isOfTheDaemon(error: unknown): boolean {
  return (
    error instanceof TransportError ||
    error instanceof Blocked ||
    error instanceof Deviation ||
    error instanceof NotApplicable
  );
}

/** A missing page is reported with its whole path, a missing thing with its name. */
function namesWhatIsMissing({ text }: Exchange, path: string, named: readonly string[]): boolean {
  return !text.includes(path) && named.some((name) => text.includes(name));
}

async function isUnknownPage(
  answer: Exchange,
  path: string,
  named: readonly string[],
  engine: Engine,
): Promise<boolean> {
  const nowherePath = '/ec-no-such-path';
  const unknown = await engine.request(answer.request.method, nowherePath);
  return (
    unknown.status === answer.status &&
    unknown.header('Content-Type') === answer.header('Content-Type') &&
    masked(unknown.text, nowherePath, []) === masked(answer.text, path, named)
  );
}

/** A text without what differs between requests. */
function masked(text: string, path: string, named: readonly string[]): string {
  return named.reduce((rest, name) => rest.replaceAll(name, '…'), text.replaceAll(path, '…')).trim();
}

const longest = 100;

function said(answer: Exchange, path: string, named: readonly string[]): string {
  const message = textMemberIn(answer.text, 'message') ?? answer.text;
  const line = masked(message, path, named).replace(/\s+/g, ' ');
  const text = line.startsWith(`${answer.status} `) ? line.slice(4) : line;
  return `${answer.status} ${text.length > longest ? `${text.slice(0, longest)}…` : text}`.trim();
}
