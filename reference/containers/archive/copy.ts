import { EngineError, serverError } from '../../errors.ts';
import type { Call } from '../../http/call.ts';
import { Fields } from '../../http/fields.ts';
import type { View } from '../../process/mounts.ts';
import { emit } from '../lifecycle.ts';
import { sendTar } from './archive.ts';
import { type ArchivePath, type FoundPath, findArchivePath, readArchivePath } from './archive-path.ts';
import { archiveView } from './archive-view.ts';

/** POST /containers/{id}/copy (Document 2, Copy files from a container). */
export async function copyFromContainer(call: Call): Promise<void> {
  const container = call.engine.containers.get(call.param('id'));
  const body = new Fields(await call.json(), '');
  const path = readArchivePath(body.string('Resource'), 'Resource');
  const view = archiveView(container);
  const found = find(view, path);
  emit(call.engine, container, 'copy');
  sendTar(call, view, path, found, {});
}

/** Here 404 means that there is no such container, so a missing path is a server error. */
function find(view: View, path: ArchivePath): FoundPath {
  try {
    return findArchivePath(view, path);
  } catch (error) {
    if (error instanceof EngineError) throw serverError(error.message);
    throw error;
  }
}
