import type { Call } from '../../http/call.ts';
import { containerInspect, sizes } from './shapes.ts';

/** GET /containers/{id}/json (Document 2, Inspect a container). */
export function inspectContainer(call: Call): void {
  const container = call.engine.containers.get(call.param('id'));
  const withSizes = call.since('1.21') && call.query.flag('size');
  call.answer(200, { ...containerInspect(container, call.api), ...(withSizes ? sizes(container) : {}) });
}
