import type { Call } from '../../http/call.ts';
import { emit } from '../lifecycle.ts';
import { ownFiles } from './archive-view.ts';
import { tarOf } from './tar-writer.ts';

/** GET /containers/{id}/export (Document 2): its own files, without those of volumes. */
export function exportContainer(call: Call): void {
  const container = call.engine.containers.get(call.param('id'));
  emit(call.engine, container, 'export');
  call.res.writeHead(200, { 'Content-Type': 'application/octet-stream' });
  const archive = tarOf(ownFiles(container), '/', '');
  call.onGone(() => archive.destroy());
  archive.on('error', () => call.res.destroy());
  archive.pipe(call.res);
}
