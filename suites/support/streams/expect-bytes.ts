import type { Answered } from '../../../harness/engine/exchange.ts';
import { expectValue } from '../../../harness/expect/expect.ts';

/** Judges that bytes are those that were written; reports where they first differ. */
export function expectBytes(evidence: Answered, name: string, actual: Buffer, written: Buffer): void {
  const differs = written.findIndex((byte, at) => byte !== actual[at]);
  const said = { bytes: actual.length, firstDifference: differs };
  const expected = { bytes: written.length, firstDifference: -1 };
  expectValue(`what came of the ${written.length} bytes written to ${name}`, said, [evidence]).toBe(expected);
}
