import type { Embedded, EmbeddedPacked } from '../embedded.ts';
import { byId } from './dom.ts';

/** The data of the page under this id. */
export function embedded<Id extends keyof Embedded>(id: Id): Embedded[Id] {
  return JSON.parse(textOf(id));
}

/** The packed data of the page under this id. */
export async function unpacked<Id extends keyof EmbeddedPacked>(id: Id): Promise<EmbeddedPacked[Id]> {
  const bytes = Uint8Array.from(atob(textOf(id)), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text());
}

function textOf(id: string): string {
  return byId(id).textContent ?? '';
}
