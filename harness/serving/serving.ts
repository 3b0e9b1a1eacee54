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

/** What a question is asked with, and what ends it. */
export interface AskedWith {
  readonly engine: Engine;
  /** @param isAbsent whether what was asked shows that an endpoint is not served */
  end(isAbsent: boolean): Promise<void>;
}

/** Finds out which endpoints a daemon serves, each once in a version, when somebody wants to know. */
export class Serving {
  readonly #ask: (api: ApiVersion) => AskedWith;
  readonly #known = new Map<string, Promise<Absence | undefined>>();

  /** @param ask gives an engine for one question; it must not itself ask what is served */
  constructor(ask: (api: ApiVersion) => AskedWith) {
    this.#ask = ask;
  }

  /** How it shows that an endpoint is not served; undefined when it is, or when that is not clear. */
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
      // A daemon that gives no answer, or one that nobody understands, is judged by it.
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
  const answer = await engine.request(endpoint.method, path, shortened(harmless(title, engine)));
  if (!mayBeAbsent(answer.status)) return undefined;
  const named = [...engine.leftovers.map(({ name }) => name), nowhere, 'NO NAME'];
  if (answer.status === 404 && namesWhatIsMissing(answer, path, named)) return undefined;
  const absence = (shown: Answered) => ({ endpoint: title, said: said(answer, path, named), evidence: shown.id });
  // Pulls and imports are two things: a daemon may say of one of them that it has not got it.
  if (answer.status !== 404 && title !== 'POST /images/create') return absence(answer);
  const again = await askAboutExisting(title, engine);
  if (again === 'about nothing') return absence(answer);
  if (again !== undefined) return mayBeAbsent(again.status) ? absence(again) : undefined;
  return (await isUnknownPage(answer, path, named, engine)) ? absence(answer) : undefined;
}

/** What shows that an endpoint is not served is shown to people, so that no archive is sent. */
function shortened({ body, ...options }: RequestOptions): RequestOptions {
  return body === undefined ? options : { ...options, body: Buffer.from(body).subarray(0, 8) };
}

/** Asks about something that there is; undefined where there can be nothing. */
async function askAboutExisting(title: string, engine: Engine): Promise<Answered | 'about nothing' | undefined> {
  try {
    const existing = await aboutExisting(title, engine);
    if (!existing) return 'about nothing';
    const [method = ''] = title.split(' ');
    // Of a stream the head is enough.
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

/** A page that there is not is told by its whole path, a thing by its name. */
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

/** A text without what differs from one request to the other. */
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
