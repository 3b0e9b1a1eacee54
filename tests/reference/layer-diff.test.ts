import { expect, it, vi } from 'vitest';
import { layerBetween, layerDigest } from '../../reference/images/layer-diff.ts';
import { applyLayer, readTar } from '../../reference/images/layers.ts';
import { rootWithLayer } from '../../reference/images/make.ts';
import { newDirectory, newFile, Tree } from '../../reference/process/file-system.ts';
import { untar } from './archives.ts';
import { tar } from './client.ts';

function treeOf(files: Readonly<Record<string, string>>): Tree {
  const tree = new Tree();
  for (const [path, text] of Object.entries(files)) tree.set(path.split('/'), newFile(text));
  return tree;
}

async function contents(layer: Buffer): Promise<Record<string, string>> {
  return Object.fromEntries((await untar(layer)).map(({ name, data }) => [name, data.toString()]));
}

it('has all files when there is nothing below', async () => {
  const { root } = treeOf({ one: '1', 'in/two': '2' });
  expect(await contents(await layerBetween(root, undefined))).toEqual({ one: '1', 'in/': '', 'in/two': '2' });
});

it('has what is new or changed, with the directories on the way, and whiteouts', async () => {
  const tree = treeOf({ kept: '1', changed: '2', gone: '3', 'in/kept': '4', 'in/gone': '5', 'other/kept': '6' });
  const before = tree.root;
  tree.set(['changed'], newFile('new'));
  tree.delete(['gone']);
  tree.delete(['in', 'gone']);
  tree.set(['in', 'added'], newFile('7'));
  expect(await contents(await layerBetween(tree.root, before))).toEqual({
    changed: 'new',
    '.wh.gone': '',
    'in/': '',
    'in/added': '7',
    'in/.wh.gone': '',
  });
});

it('is the same whenever it is made, with its whiteouts too', async () => {
  const tree = treeOf({ kept: '1', gone: '2' });
  const before = tree.root;
  tree.delete(['gone']);
  const digest = await layerDigest(tree.root, before);
  vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] });
  try {
    expect(await layerDigest(tree.root, before)).toBe(digest);
  } finally {
    vi.useRealTimers();
  }
});

it('has nothing between a tree and itself', async () => {
  const { root } = treeOf({ one: '1' });
  expect(await untar(await layerBetween(root, root))).toEqual([]);
});

it('leads, applied to the tree below, to the tree that it was made of', async () => {
  const tree = treeOf({ kept: '1', 'in/gone': '2', 'in/kept': '3', way: '4' });
  const before = tree.root;
  tree.delete(['in', 'gone']);
  tree.delete(['way']);
  tree.set(['way', 'on'], newFile('5', 0o4755, 1000, 50));
  tree.set(['empty'], newDirectory(0o700));
  const applied = await rootWithLayer(before, await layerBetween(tree.root, before));
  expect(await contents(await layerBetween(applied, undefined))).toEqual({
    'empty/': '',
    'in/': '',
    'in/kept': '3',
    kept: '1',
    'way/': '',
    'way/on': '5',
  });
  const on = new Tree(applied).get(['way', 'on']);
  expect(on?.meta).toMatchObject({ mode: 0o4755, uid: 1000, gid: 50 });
});

it('keeps the digest of a layer that is taken apart and put together again', async () => {
  const layer = await tar({ 'in/one': '1', two: '2' });
  const once = await rootWithLayer(undefined, layer);
  const twice = await rootWithLayer(undefined, await layerBetween(once, undefined));
  expect(await layerDigest(twice, undefined)).toBe(await layerDigest(once, undefined));
});

it('empties a directory that a layer makes opaque', async () => {
  const tree = treeOf({ 'in/one': '1', 'in/two': '2', kept: '3' });
  applyLayer(tree, await readTar(await tar({ 'in/.wh..wh..opq': '', 'in/three': '4' })));
  expect(await contents(await layerBetween(tree.root, undefined))).toEqual({ 'in/': '', 'in/three': '4', kept: '3' });
});
