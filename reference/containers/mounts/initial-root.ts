import { type DirectoryNode, newDirectory, newFile, Tree } from '../../process/file-system.ts';

const roots = new WeakMap<DirectoryNode, DirectoryNode>();

const directories = ['dev/pts', 'dev/shm', 'dev/mqueue', 'etc', 'proc', 'sys/fs/cgroup'];
const files = ['etc/hostname', 'etc/hosts', 'etc/resolv.conf', 'dev/console'];

/** The root that a container of an image begins with: the image's, and the places that the engine mounts on. */
export function initialRoot(image: DirectoryNode): DirectoryNode {
  const known = roots.get(image);
  if (known) return known;
  const tree = new Tree(image);
  const isFree = (parts: readonly string[]): boolean => tree.get(parts) === undefined && hasRoom(tree, parts);
  for (const path of directories) if (isFree(path.split('/'))) tree.set(path.split('/'), newDirectory());
  for (const path of files) if (isFree(path.split('/'))) tree.set(path.split('/'), newFile('', 0o755));
  roots.set(image, tree.root);
  return tree.root;
}

/** Whether nothing on the way to a path is other than a directory. */
function hasRoom(tree: Tree, parts: readonly string[]): boolean {
  return parts.every((_part, depth) => {
    const node = tree.get(parts.slice(0, depth));
    return node === undefined || node.kind === 'directory';
  });
}
