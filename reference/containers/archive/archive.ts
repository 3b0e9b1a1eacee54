import { basename } from 'node:path';
import type { Call } from '../../http/call.ts';
import type { View } from '../../process/mounts.ts';
import { type ArchivePath, type FoundPath, findArchivePath, pathStatHeader, readArchivePath } from './archive-path.ts';
import { archiveView } from './archive-view.ts';
import { tarOf } from './tar-writer.ts';

/** What a call's `path` names in its container. Throws EngineError. */
function resolve(call: Call): { view: View; path: ArchivePath; found: FoundPath } {
  const container = call.engine.containers.get(call.param('id'));
  const path = readArchivePath(call.query.text('path'));
  const view = archiveView(container);
  return { view, path, found: findArchivePath(view, path) };
}

/** HEAD /containers/{id}/archive (Document 2, Archive endpoints). */
export function headArchive(call: Call): void {
  const { path, found } = resolve(call);
  call.res.writeHead(200, { [call.words['X-Engine-Container-Path-Stat']]: pathStatHeader(path, found) });
  call.res.end();
}

/** GET /containers/{id}/archive (Document 2, Archive endpoints). */
export function getArchive(call: Call): void {
  const { view, path, found } = resolve(call);
  const stat = { [call.words['X-Engine-Container-Path-Stat']]: pathStatHeader(path, found) };
  sendTar(call, view, path, found, stat);
}

/** Answers with the archive of a path. */
export function sendTar(
  call: Call,
  view: View,
  path: ArchivePath,
  { place }: FoundPath,
  headers: Readonly<Record<string, string>>,
): void {
  call.res.writeHead(200, { 'Content-Type': 'application/x-tar', ...headers });
  const name = path.contentsOnly ? './' : basename(path.path) || '/';
  const archive = tarOf(view, `/${place.path.join('/')}`, name);
  call.onGone(() => archive.destroy());
  archive.on('error', () => call.res.destroy());
  archive.pipe(call.res);
}
