import { type Pack, pack } from 'tar-stream';
import type { FsNode } from '../../process/file-system.ts';
import type { View } from '../../process/mounts.ts';

/**
 * A tar archive of what is at `path` in a view, under `name`; a directory with everything in it. An empty name leaves
 * out the entry of the directory itself.
 */
export function tarOf(view: View, path: string, name: string): Pack {
  const archive = pack();
  const { node } = view.find(path);
  if (node) addNode(archive, view, { path, name, node });
  archive.finalize();
  return archive;
}

function addNode(
  archive: Pack,
  view: View,
  { path, name, node }: { readonly path: string; readonly name: string; readonly node: FsNode },
): void {
  const { mode, uid, gid, mtime } = node.meta;
  // tar-stream treats a mode of 0 as unset; an extra bit, above those that it writes, prevents that.
  const header = { name, mode: mode | 0o1000000, uid, gid, mtime: new Date(mtime) };
  if (node.kind === 'file') archive.entry({ ...header, type: 'file' }, node.data);
  else if (node.kind === 'link') archive.entry({ ...header, type: 'symlink', linkname: node.target });
  else if (node.kind === 'device') archive.entry({ ...header, type: deviceTypes[node.type] });
  else {
    const prefix = name === '' || name.endsWith('/') ? name : `${name}/`;
    if (prefix !== '') archive.entry({ ...header, name: prefix, type: 'directory' });
    const place = view.find(path);
    const names = new Set([...node.children.keys(), ...view.mountedBelow(place.path)]);
    for (const child of [...names].sort()) {
      const below = `/${[...place.path, child].join('/')}`;
      const { node: found } = view.find(below, '/', false);
      if (found) addNode(archive, view, { path: below, name: prefix + child, node: found });
    }
  }
}

const deviceTypes = { character: 'character-device', block: 'block-device', fifo: 'fifo' } as const;
