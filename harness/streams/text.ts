import { FrameDecoder } from './frames.ts';
import { ObjectDecoder } from './objects.ts';

/**
 * Whether output contains a text that a process wrote to one stream, with or without framing: where an engine cuts it
 * is not stated (Document 2, Stream framing). Other bytes are read as text.
 */
export function holdsText(bytes: Buffer, text: string): boolean {
  return bytes.includes(text) || payloadsOf(bytes).some((payload) => payload.includes(text));
}

/** The output: with framing, the payloads of each stream one after the other, and otherwise everything. */
export function outputIn(bytes: Buffer): string {
  const payloads = payloadsOf(bytes);
  return (payloads.length > 0 ? Buffer.concat(payloads) : bytes).toString('utf8');
}

/** Whether a text occurs in the strings of the JSON objects so far, however they are formatted. */
export function objectsHoldText(bytes: Buffer, text: string): boolean {
  const strings: string[] = [];
  try {
    for (const { text: object } of new ObjectDecoder().push(bytes)) {
      JSON.parse(object, (_name, value: unknown) => {
        if (typeof value === 'string') strings.push(value);
        return value;
      });
    }
  } catch {
    return false; // Another rule judges what is not a sequence of objects.
  }
  return strings.join('').includes(text);
}

/** The joined payloads of each stream, up to the first byte that is not framing. */
function payloadsOf(bytes: Buffer): Buffer[] {
  const byStream = new Map<string, Uint8Array[]>();
  const decoder = new FrameDecoder();
  try {
    for (const { stream, data } of decoder.push(bytes)) byStream.set(stream, [...(byStream.get(stream) ?? []), data]);
  } catch {
    return []; // Output of a terminal has no frames.
  }
  return [...byStream.values()].map((pieces) => Buffer.concat(pieces));
}
