import type { IncomingMessage } from 'node:http';
import { badParameter } from '../errors.ts';

const largestJson = 8 * 1024 * 1024;

/** Reads a whole request body, at most `limit` bytes. Rejects when the client disconnects. */
export function readBody(req: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else reject(badParameter(`the body is larger than ${limit} bytes`));
    });
    req.on('end', () => resolve(Buffer.concat(chunks)));
    req.on('error', reject);
    req.on('close', () => reject(badParameter('the body is incomplete')));
  });
}

/** Reads a JSON body; undefined when there is no body. 400 for another media type or broken JSON. */
export async function readJson(req: IncomingMessage, body?: Buffer): Promise<unknown> {
  const bytes = body ?? (await readBody(req, largestJson));
  if (bytes.length === 0) return undefined;
  const media = (req.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (media !== 'application/json') throw badParameter('the body is not application/json');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw badParameter('the body is not valid JSON');
  }
}
