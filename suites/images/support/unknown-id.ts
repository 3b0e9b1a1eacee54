import { randomBytes } from 'node:crypto';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { expect } from '../../../harness/expect/expect.ts';
import { answersStatus } from '../../../harness/faults/answers.ts';
import { type Fault, onlyFor } from '../../../harness/faults/fault.ts';

/**
 * Judges that a request answers 404 to a name and to an identifier that no image has: an engine may look for them in
 * different ways.
 */
export async function expectUnknown(engine: Engine, ask: (image: string) => Promise<Exchange>): Promise<void> {
  expect(await ask(engine.unusedName('image'))).toHaveStatus(404);
  expect(await ask(randomBytes(32).toString('hex'))).toHaveStatus(404);
}

const hasIdentifier = ({ path }: { readonly path: string }) => /\/[0-9a-f]{64}(?:[/?]|$)/.test(path);

/** Answers other than 404 to what no image has. */
export const unknownFaults: readonly Fault[] = [
  answersStatus(500, 404),
  onlyFor(hasIdentifier, answersStatus(500, 404), 'answers 500 instead of 404 to an unknown identifier'),
];
