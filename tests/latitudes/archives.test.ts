import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { readTar } from '../../harness/engine/tar.ts';
import { tarBytes } from '../../harness/engine/tar-bytes.ts';
import { ofArchives } from '../../harness/latitudes/archives.ts';
import { Variation } from '../../harness/latitudes/latitudinal-transport.ts';
import { archive } from './samples.ts';

const request = { method: 'GET', path: '/v1.23/containers/a/archive?path=/a', headers: {} };
const headers = [['Content-Type', 'application/x-tar']] as const;

function varied(name: string, body: Buffer, asked = request): Buffer {
  const chosen = ofArchives.filter((latitude) => latitude.name === name);
  return new Variation(chosen).answer({ status: 200, headers, body }, asked).body;
}

/** What GNU tar sees in an archive: type, mode, size, time and name of each member. */
function listed(bytes: Buffer): string[] {
  const options = ['--list', '--verbose', '--numeric-owner', '--full-time', '--utc', '--file=-'];
  return execFileSync('tar', options, { input: bytes, encoding: 'utf8' }).trim().replaceAll(/ +/g, ' ').split('\n');
}

const plain = listed(archive);
const fromDot = plain.map((line, at) => (at < 3 ? line.replace(/ (a(?:\/|$))/, ' ./$1') : line));

describe('an archive in another form', () => {
  test.each([
    // The last name is in a record already.
    ['archives-with-records', plain.map((line, at) => (at < 3 ? line.replace(/(:\d\d) /, '$1.25 ') : line))],
    ['archive-names-from-dot', fromDot],
    ['archive-members-reversed', plain.toReversed()],
    ['archives-in-whole-records', plain],
  ])('%s has the same members for GNU tar', (name, members) => {
    const other = varied(name, archive);
    expect(other.equals(archive)).toBe(false);
    expect(other.length % 512).toBe(0);
    expect(listed(other)).toEqual(members);
  });

  test.each(ofArchives.map(({ name }) => [name]))('%s is the same for the suite', async (name) => {
    const sorted = async (bytes: Buffer) =>
      (await readTar(bytes)).toSorted((one, other) => one.name.localeCompare(other.name));
    expect(await sorted(varied(name, archive))).toEqual(await sorted(archive));
  });

  test('a name may be in a record alone', async () => {
    const name = 'a'.repeat(120);
    const bytes = tarBytes([{ name, type: 'file', mode: 0o644, time: 0, content: Buffer.from('one'), long: 'pax' }]);
    // The record and its content come first.
    const header = bytes.subarray(2 * 512, 3 * 512).fill(0, 0, 100);
    header.fill(' ', 148, 156);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    const names = async (archive: Buffer) => (await readTar(archive)).map((entry) => entry.name);
    expect(await names(bytes)).toEqual([name]);
    for (const latitude of ofArchives) expect(await names(varied(latitude.name, bytes))).toEqual([name]);
  });

  test('a hard link stays behind what it links to', () => {
    const file = { name: 'a', type: 'file', mode: 0o644, time: 0, content: Buffer.from('one'), long: 'pax' } as const;
    const linked = tarBytes([file, { ...file, name: 'b', type: 'link', content: Buffer.alloc(0), target: 'a' }]);
    expect(varied('archive-members-reversed', linked)).toEqual(linked);
  });

  test.each(ofArchives.map(({ name }) => [name]))('%s leaves alone what is no archive', (name) => {
    const text = Buffer.from('no such container'.repeat(100));
    expect(varied(name, text)).toEqual(text);
    expect(varied(name, archive.subarray(0, 1_100))).toEqual(archive.subarray(0, 1_100));
    expect(varied(name, archive, { ...request, path: '/v1.23/containers/a/logs' })).toEqual(archive);
  });
});
