import { type DirectoryNode, newDirectory, newFile, Tree } from '../../process/file-system.ts';

const roots = new WeakMap<DirectoryNode, DirectoryNode>();

const directories = ['dev/pts', 'dev/shm', 'dev/mqueue', 'etc', 'proc', 'sys/fs/cgroup'];
const files = ['etc/hostname', 'etc/hosts', 'etc/resolv.conf', 'dev/console'];

/** The initial root of a container: the image's, with the mount points that the engine needs. */
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

/** Whether everything on the way to a path is a directory. */
function hasRoom(tree: Tree, parts: readonly string[]): boolean {
  return parts.every((_part, depth) => {
    const node = tree.get(parts.slice(0, depth));
    return node === undefined || node.kind === 'directory';
  });
}
