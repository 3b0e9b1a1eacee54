import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { extract } from 'tar-stream';
import { expect, test } from 'vitest';
import { probeImage } from '../../harness/probe/image.ts';
import { probeProgram, psProgram } from '../../harness/probe/program.ts';

interface Member {
  readonly type: string | null | undefined;
  readonly mode: number | undefined;
  readonly owner: string;
  readonly time: number | undefined;
  /** One character per byte. */
  readonly content: string;
}

const tag = 'localhost:5000/engine-conformance-probe:1';
const sha256 = (content: string): string => createHash('sha256').update(content, 'latin1').digest('hex');

async function members(tar: Buffer): Promise<Map<string, Member>> {
  const found = new Map<string, Member>();
  const stream = extract();
  stream.end(tar);
  for await (const entry of stream) {
    const { name, type, mode, uid, gid, mtime } = entry.header;
    const content = (await buffer(entry)).toString('latin1');
    found.set(name, { type, mode, owner: `${uid}:${gid}`, time: mtime?.getTime(), content });
  }
  return found;
}

function content(of: Map<string, Member>, name: string): string {
  const member = of.get(name);
  if (member === undefined) throw new Error(`no member ${name}`);
  return member.content;
}

test('holds both formats of an image tarball', async () => {
  const { tar, id } = await probeImage({ architecture: 'amd64', tag, labels: { b: '2', a: '1' } });
  const all = await members(tar);
  const digest = id.replace('sha256:', '');

  const repositories: unknown = JSON.parse(content(all, 'repositories'));
  const layerId = [...all.keys()].find((name) => name.endsWith('/layer.tar'))?.split('/')[0] ?? '';
  expect(layerId).toMatch(/^[0-9a-f]{64}$/);
  expect(repositories).toEqual({ 'localhost:5000/engine-conformance-probe': { '1': layerId } });
  expect([...all.keys()]).toEqual([
    `${layerId}/`,
    `${layerId}/VERSION`,
    `${layerId}/json`,
    `${layerId}/layer.tar`,
    `${digest}.json`,
    'manifest.json',
    'repositories',
  ]);

  const shared = {
    architecture: 'amd64',
    os: 'linux',
    config: {
      Entrypoint: ['/probe'],
      Cmd: ['forever'],
      Env: ['PATH=/', 'PROBE=1'],
      WorkingDir: '',
      Labels: { a: '1', b: '2' },
    },
  };
  expect(content(all, `${layerId}/VERSION`)).toBe('1.0');
  expect(JSON.parse(content(all, `${layerId}/json`))).toMatchObject({ id: layerId, ...shared });
  expect(JSON.parse(content(all, 'manifest.json'))).toEqual([
    { Config: `${digest}.json`, RepoTags: [tag], Layers: [`${layerId}/layer.tar`] },
  ]);
  expect(sha256(content(all, `${digest}.json`))).toBe(digest);
  expect(JSON.parse(content(all, `${digest}.json`))).toMatchObject({
    ...shared,
    rootfs: { type: 'layers', diff_ids: [`sha256:${sha256(content(all, `${layerId}/layer.tar`))}`] },
  });
});

test.each(['amd64', 'arm64'] as const)('the layer for %s holds the program and what it needs', async (architecture) => {
  const { tar } = await probeImage({ architecture, tag });
  const all = await members(tar);
  const layerName = [...all.keys()].find((name) => name.endsWith('/layer.tar')) ?? '';
  const layer = await members(Buffer.from(content(all, layerName), 'latin1'));
  const modes = [...layer].map(([name, { type, mode, owner }]) => [name, type, mode?.toString(8), owner]);
  expect(modes).toEqual([
    ['data/', 'directory', '755', '0:0'],
    ['etc/', 'directory', '755', '0:0'],
    ['etc/group', 'file', '644', '0:0'],
    ['etc/passwd', 'file', '644', '0:0'],
    ['probe', 'file', '755', '0:0'],
    ['ps', 'file', '755', '0:0'],
    ['tmp/', 'directory', '1777', '0:0'],
    ['work/', 'directory', '755', '0:0'],
  ]);
  expect(new Set([...all.values(), ...layer.values()].map(({ time }) => time)).size).toBe(1);
  expect(content(layer, 'probe')).toBe((await probeProgram(architecture)).toString('latin1'));
  expect(content(layer, 'ps')).toBe((await psProgram(architecture)).toString('latin1'));
  expect(content(layer, 'etc/passwd')).toMatch(/^root:x:0:0:.*\nprobe:x:1000:1000:.*\n$/);
  expect(content(layer, 'etc/group')).toBe('root:x:0:\nprobe:x:1000:\nextra:x:2000:probe\n');
});

test.each([
  ['amd64', 62],
  ['arm64', 183],
] as const)(
  'the program for %s is a small static one of that machine, with the marker',
  async (architecture, machine) => {
    const program = await probeProgram(architecture);
    expect(program.subarray(0, 6).toString('latin1')).toBe('\x7fELF\x02\x01');
    expect(program.readUInt16LE(16), 'an executable at a fixed address').toBe(2);
    expect(program.readUInt16LE(18)).toBe(machine);
    expect(program.length).toBeLessThan(16_384);
    expect(program.includes('engine-conformance-probe/1')).toBe(true);
  },
);

test('equal options give equal bytes, whatever the order of labels', async () => {
  const one = await probeImage({ architecture: 'amd64', tag, labels: { a: '1', b: '2' } });
  const two = await probeImage({ architecture: 'amd64', tag, labels: { b: '2', a: '1' } });
  const other = await probeImage({ architecture: 'amd64', tag, labels: { a: '1' } });
  expect(one.tar.equals(two.tar)).toBe(true);
  expect(one.id).toBe(two.id);
  expect(other.id).not.toBe(one.id);
});

test.each(['name', ':1', 'name:', 'localhost:5000/name'])('the tag %j is refused', async (wrong) => {
  await expect(probeImage({ architecture: 'amd64', tag: wrong })).rejects.toThrow(RangeError);
});
