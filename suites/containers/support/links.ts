import type { Container } from '../../../harness/engine/container.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';

/** Removes a link, to be judged. Its name is that of the container that has it, followed by the alias. */
export function removeLink(engine: Engine, { name }: Container, alias: string, link: string): Promise<Exchange> {
  return engine.delete(`/containers/${encodeURIComponent(`${name}/${alias}`)}`, { link });
}
