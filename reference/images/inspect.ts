import type { Call } from '../http/call.ts';
import { imageInspect } from './shapes.ts';

/** GET /images/{name}/json (Document 3, Inspect an image). */
export function inspectImage(call: Call, name: string): void {
  const { images, words } = call.engine;
  call.answer(200, imageInspect(images.get(name), images, call.api, words));
}
