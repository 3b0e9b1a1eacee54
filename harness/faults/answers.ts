import type { JsonValue } from '../streams/json.ts';
import { parseJson, writeJson } from '../streams/json.ts';
import type { WireAnswer, WireRequest } from '../transport/wire.ts';
import { type Fault, onlyFor } from './fault.ts';

/** Answers with another status; with `from`, only instead of that one. */
export function answersStatus(to: number, from?: number): Fault {
  const change = <A extends { readonly status: number }>(answer: A): A =>
    from === undefined || answer.status === from ? { ...answer, status: to } : answer;
  return { name: `answers ${to}${from === undefined ? '' : ` instead of ${from}`}`, answer: change, head: change };
}

/** Refuses every request with one status, and does nothing. */
export function refusesAll(status: number): Fault {
  const headers = [['Content-Type', 'application/json']] as const;
  const instead = { status, headers, body: Buffer.from('{"message":"refused"}') };
  return { name: `refuses everything with ${status}`, request: () => ({ instead }) };
}

/** Answers with a body where there should be none, or with another body. */
export function answersBody(text: string): Fault {
  return { name: `answers the body ${JSON.stringify(text)}`, answer: (answer) => withBody(answer, Buffer.from(text)) };
}

/** The same fault, but not for requests whose query has this value. */
export function unlessQuery(parameter: string, value: string, fault: Fault): Fault {
  const isMeant = ({ path }: WireRequest) => new URLSearchParams(path.split('?')[1]).get(parameter) !== value;
  return onlyFor(isMeant, fault, `${fault.name} unless ${parameter} is ${JSON.stringify(value)}`);
}

/** Changes the JSON body of successful answers; a list is passed as a whole. */
export function changesJson(name: string, change: (json: JsonValue) => JsonValue): Fault {
  return {
    name,
    answer: (answer) => {
      if (answer.status >= 300 || answer.body.length === 0) return answer;
      return withBody(answer, Buffer.from(writeJson(change(parseJson(answer.body.toString('utf8'))))));
    },
  };
}

/** Lists everything twice, in answers that are lists. */
export function listsTwice(): Fault {
  return changesJson('lists everything twice', (all) => (Array.isArray(all) ? [...all, ...all] : all));
}

export function dropsHeader(header: string): Fault {
  return changesHeaders(`drops the header ${header}`, header, []);
}

export function setsHeader(header: string, value: string): Fault {
  return changesHeaders(`answers ${header}: ${value}`, header, [[header, value]]);
}

function changesHeaders(name: string, header: string, instead: readonly (readonly [string, string])[]): Fault {
  const change = <A extends Pick<WireAnswer, 'headers'>>(answer: A): A => ({
    ...answer,
    headers: [...answer.headers.filter(([known]) => known.toLowerCase() !== header.toLowerCase()), ...instead],
  });
  return { name, answer: change, head: change };
}

/** An answer with another body, and its length in the headers, if it was there. */
export function withBody(answer: WireAnswer, body: Buffer): WireAnswer {
  const headers = answer.headers.map(([name, value]) =>
    name.toLowerCase() === 'content-length' ? ([name, String(body.length)] as const) : ([name, value] as const),
  );
  return { ...answer, headers, body };
}
