import type { WireRequest } from '../transport/wire.ts';
import type { Fault } from './fault.ts';

/** Answers 500 to requests for which the condition holds, and does not execute them. */
export function refuses(what: string, holds: (request: WireRequest) => boolean): Fault {
  const instead = { status: 500, headers: [], body: Buffer.from(`no ${what}`) };
  return { name: `refuses ${what}`, request: (request) => (holds(request) ? { instead } : request) };
}

/** Reads a text of the body as another one of the same length, so that an archive around it stays intact. */
export function readsInBody(from: string, to: string): Fault {
  if (from.length !== to.length) throw new Error('an archive notes the length of what it holds');
  return {
    name: `reads ${JSON.stringify(from)} as ${JSON.stringify(to)}`,
    request: (request) => {
      if (!request.body) return request;
      const text = Buffer.from(request.body).toString('latin1');
      return { ...request, body: Buffer.from(text.replaceAll(from, to), 'latin1') };
    },
  };
}
