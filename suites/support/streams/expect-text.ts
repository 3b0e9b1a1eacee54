import type { Answered } from '../../../harness/engine/exchange.ts';
import { expectValue } from '../../../harness/expect/expect.ts';
import { holdsText } from '../../../harness/streams/text.ts';

/** Expects that output contains a text, with or without framing: where a stream is cut into frames is not stated. */
export function expectText(label: string, bytes: Buffer, text: string, evidence: Answered): void {
  const holds = () => holdsText(bytes, text);
  expectValue(label, bytes.toString('latin1'), [evidence]).toSatisfy(`output with ${JSON.stringify(text)}`, holds);
}
