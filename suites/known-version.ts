import type { Exchange } from '../harness/engine/exchange.ts';
import { settled } from '../harness/engine/given.ts';
import { Deviation } from '../harness/verdict/outcomes.ts';

/**
 * Needs an answer of GET /version to tell a version: one that answers anything to anything, or nothing, proves nothing
 * by what its answer lacks.
 * @throws Blocked
 */
export async function tellsVersion(answer: Exchange): Promise<void> {
  const read = async () => {
    const { json } = answer;
    const told = typeof json === 'object' && json !== null && 'Version' in json && typeof json.Version === 'string';
    if (!told) throw new Deviation('a version', answer.text.slice(0, 100));
  };
  await settled(read(), `reading the version in ${answer.id}`);
}
