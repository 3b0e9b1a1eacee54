import { isIPv4 } from 'node:net';
import type { Process } from './process.ts';

/**
 * The number of a step's arguments, and what it does; a number (or a promise of one) ends the process with that code.
 */
export interface ProbeStep {
  readonly arity: number;
  readonly run: (process: Process, args: readonly string[]) => unknown;
}

/** TEXT with its escapes replaced, as bytes. */
export function textBytes(text: string): Buffer {
  const parts: Buffer[] = [];
  const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\' };
  let from = 0;
  for (const match of text.matchAll(/\\(?:x([0-9a-fA-F]{2})|([nrt\\]))/g)) {
    parts.push(Buffer.from(text.slice(from, match.index)));
    const [whole, hex, letter = ''] = match;
    parts.push(hex ? Buffer.from(hex, 'hex') : Buffer.from(escapes[letter] ?? ''));
    from = match.index + whole.length;
  }
  parts.push(Buffer.from(text.slice(from)));
  return Buffer.concat(parts);
}

/** An argument that is not a number or address, or out of range. */
export class UsageError extends Error {}

const largest = 2n ** 64n - 1n;

/** An unsigned decimal number up to `max`. Throws UsageError. */
export function numberArgument(text: string | undefined, max: number | bigint = largest): number {
  if (text === undefined || !/^[0-9]+$/.test(text) || BigInt(text) > BigInt(max)) throw new UsageError();
  return Number(text);
}

/** An IPv4 address. Throws UsageError. */
export function addressArgument(text: string): string {
  if (!isIPv4(text)) throw new UsageError();
  return text;
}
