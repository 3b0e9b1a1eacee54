import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Address } from '../../harness/target/address.ts';
import { httpServer } from './servers.ts';

/** What happens to a request on its way to the engine. */
interface Passing {
  readonly request: IncomingMessage;
  /** Answers in the engine's place, or not at all. */
  readonly answer: ServerResponse;
  /** Ordinal of the request, from 1. */
  readonly count: number;
}

export interface Changes {
  /** @returns whether the request is dealt with, and the engine does not see it */
  readonly before?: (passing: Passing) => boolean | Promise<boolean>;
  /** The body of an answer as the client is to see it. */
  readonly body?: (request: IncomingMessage, body: string) => string;
}

/** A daemon that is another one with changes on the way. */
export function proxyTo(target: Address, { before, body }: Changes): Promise<Address> {
  if (target.kind !== 'unix') throw new Error('the engine of a test listens on a socket');
  let count = 0;
  return httpServer(async (request, answer) => {
    count++;
    if (await before?.({ request, answer, count })) return;
    const { method = 'GET', url = '/', headers } = request;
    const onward = http.request({ socketPath: target.socketPath, method, path: url, headers }, async (answered) => {
      const { 'transfer-encoding': _coding, 'content-length': _length, ...kept } = answered.headers;
      answer.writeHead(answered.statusCode ?? 500, kept);
      try {
        if (body) answer.end(Buffer.from(body(request, (await wholeBody(answered)).toString('latin1')), 'latin1'));
        else await pipeline(answered, answer);
      } catch {
        answer.destroy(); // One of the two went away.
      }
    });
    onward.on('error', () => answer.destroy());
    answer.once('close', () => onward.destroy());
    request.pipe(onward);
  });
}

async function wholeBody(answered: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of answered) chunks.push(chunk);
  return Buffer.concat(chunks);
}
