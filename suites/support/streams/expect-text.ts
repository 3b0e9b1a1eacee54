import type { Answered } from '../../../harness/engine/exchange.ts';
import { expectValue } from '../../../harness/expect/expect.ts';
import { holdsText } from '../../../harness/streams/text.ts';

/** Expects that output has a text, be it in frames or not: where it is cut nothing says. */
export function expectText(label: string, bytes: Buffer, text: string, evidence: Answered): void {
  const holds = () => holdsText(bytes, text);
  expectValue(label, bytes.toString('latin1'), [evidence]).toSatisfy(`output with ${JSON.stringify(text)}`, holds);
}
