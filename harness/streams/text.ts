import { FrameDecoder } from './frames.ts';
import { ObjectDecoder } from './objects.ts';

/**
 * Whether output holds a text that one stream of a process wrote, be it in frames, cut anywhere, or as it is: nothing
 * says where an engine cuts it (Document 2, Stream framing). Bytes that are neither are read as text.
 */
export function holdsText(bytes: Buffer, text: string): boolean {
  return bytes.includes(text) || payloadsOf(bytes).some((payload) => payload.includes(text));
}

/** What was written: the payloads of each stream after the other where output comes in frames, else what came. */
export function outputIn(bytes: Buffer): string {
  const payloads = payloadsOf(bytes);
  return (payloads.length > 0 ? Buffer.concat(payloads) : bytes).toString('utf8');
}

/** Whether a text stands in the strings of the JSON objects that have come so far, however they are written. */
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
    return false; // What is no run of objects is for another rule to judge.
  }
  return strings.join('').includes(text);
}

/** What came of each stream, joined, up to the first byte that is no framing. */
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
