import type { Call } from '../../http/call.ts';
import type { FsNode } from '../../process/file-system.ts';

const kinds = { modified: 0, added: 1, deleted: 2 } as const;

/** An item of the list of changes (Document 1, Filesystem change item). */
interface Change {
  readonly Path: string;
  readonly Kind: 0 | 1 | 2;
}

/** GET /containers/{id}/changes (Document 2): what differs from the image, sorted by path. */
export function containerChanges(call: Call): void {
  const { root, base } = call.engine.containers.get(call.param('id'));
  const changes = [...changesBelow('', root.root, base)];
  call.answer(
    200,
    changes.sort((a, b) => (a.Path < b.Path ? -1 : 1)),
  );
}

/** The changes inside a directory. A directory in which something changed counts as modified itself. */
function* changesBelow(path: string, now: FsNode, before: FsNode | undefined): Generator<Change> {
  const old = before?.kind === 'directory' ? before.children : new Map<string, FsNode>();
  const current = now.kind === 'directory' ? now.children : new Map<string, FsNode>();
  for (const [name, node] of current) {
    const was = old.get(name);
    if (was === node) continue;
    yield { Path: `${path}/${name}`, Kind: was ? kinds.modified : kinds.added };
    yield* changesBelow(`${path}/${name}`, node, was);
  }
  if (now.kind !== 'directory') return;
  for (const name of old.keys()) if (!current.has(name)) yield { Path: `${path}/${name}`, Kind: kinds.deleted };
}
