import type { IncomingMessage } from 'node:http';
import { TokenError } from './token-error.ts';

const largestForm = 64 * 1024;
const largestRead = 1024 * 1024;

/** The form of a request, by parameter; empty ones count as absent. */
export type Form = ReadonlyMap<string, string>;

/**
 * Reads the body of a request as a form. Even a refused body is read to its end, so that its sender gets the answer; an
 * endless one is cut off.
 * @throws TokenError when it is not a form, is too large, or repeats a parameter
 */
export async function readForm(request: IncomingMessage): Promise<Form> {
  const body = await readBody(request);
  const mediaType = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/x-www-form-urlencoded') {
    throw new TokenError(400, 'invalid_request', 'the body has to be a form (application/x-www-form-urlencoded)');
  }
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(body)) {
    if (form.has(name)) throw new TokenError(400, 'invalid_request', 'a parameter is given twice');
    form.set(name, value);
  }
  for (const [name, value] of form) if (value === '') form.delete(name);
  return form;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  // biome-ignore lint/plugin: a request without an encoding is read in buffers
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= largestForm) chunks.push(chunk);
    if (size > largestRead) break;
  }
  if (size > largestForm) throw new TokenError(413, 'invalid_request', 'the form is too large');
  return Buffer.concat(chunks).toString('utf8');
}

/** @throws TokenError when the parameter is missing */
export function required(form: Form, name: string): string {
  const value = form.get(name);
  if (value === undefined) throw new TokenError(400, 'invalid_request', `${name} is missing`);
  return value;
}
