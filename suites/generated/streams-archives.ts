import { createHash } from 'node:crypto';
import { check } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { readTar, type TarEntry } from '../../harness/engine/tar.ts';
import { type TarMember, tarBytes } from '../../harness/engine/tar-bytes.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { on } from '../../harness/faults/fault.ts';
import { swallows } from '../../harness/faults/requests.ts';
import { changesStream } from '../../harness/faults/streams.ts';
import { archiveMembers } from '../../harness/generators/archives.ts';
import { forAll } from '../../harness/property/for-all.ts';

const puts = 'PUT /containers/{id}/archive';
const gets = 'GET /containers/{id}/archive';
const exports = 'GET /containers/{id}/export';
const cuts = changesStream('ends in the middle', (bytes) => bytes.subarray(0, Math.floor(bytes.length / 2) + 7));
const empties = changesStream('holds nothing', () => Buffer.alloc(1024));

check(
  'generated.streams.archives',
  {
    faults: [
      on(puts, swallows(200)),
      on(puts, answersStatus(500, 200)),
      on(gets, answersStatus(404, 200)),
      on(gets, cuts),
      on(exports, answersStatus(500, 200)),
      on(exports, empties),
    ],
  },
  (context) =>
    forAll(context, archiveMembers(), { runs: 2 }, async (members, trial) => {
      const { engine } = trial;
      const container = await makeContainer(engine);
      const names = members.map(
        ({ name, type, content }) => `${type} ${shown(name)}${content ? `, ${content.length} bytes` : ''}`,
      );
      trial.step(`unpacks in /data of a new container: ${names.join('; ')}`);
      const headers = { 'content-type': 'application/x-tar' };
      const query = { path: '/data' };
      const put = await engine.request('PUT', container.path('archive'), { query, headers, body: tarBytes(members) });
      await trial.decides('containers.archive-put.answers-200', () => expect(put).toHaveStatus(200));
      if (put.status !== 200) return;

      trial.step('gets /data back');
      const got = await engine.get(container.path('archive'), { path: '/data' });
      await trial.decides('containers.archive-get.answers-200', () => expect(got).toHaveStatus(200));
      if (got.status !== 200) return;
      let entries: TarEntry[] | undefined;
      await trial.decides('containers.archive-get.body-tar', async () => {
        entries = below('data', await readTar(got.answer.body));
        expectValue('the number of entries', entries.length, [got]).toBeAtLeast(1);
      });
      if (entries) {
        const came = entries;
        await trial.decides('containers.archive-put.unpacks', () => {
          expectValue('what differs', differences(members, came, kindAndContent), [put, got]).toBe([]);
          const level = { level: 'should' } as const;
          expectValue(
            'what differs in modes and times',
            differences(members, came, modeAndTime),
            [put, got],
            level,
          ).toBe([]);
        });
      }

      trial.step('exports the container');
      const exported = await engine.get(container.path('export'));
      await trial.decides('containers.export.answers-200', () => expect(exported).toHaveStatus(200));
      if (exported.status !== 200) return;
      await trial.decides('containers.export.contents', async () => {
        const whole = below('data', await readTar(exported.answer.body));
        expectValue('what differs', differences(members, whole, kindAndContent), [put, exported]).toBe([]);
      });
    }),
);

/** A name; long ones are abbreviated in the middle. */
export function shown(name: string): string {
  const text = JSON.stringify(name);
  return text.length > 60 ? `${text.slice(0, 30)}…${text.slice(-25)} (${Buffer.byteLength(name)} bytes)` : text;
}

/** The entries below a directory of an archive, by their names in it. */
function below(directory: string, entries: readonly TarEntry[]): TarEntry[] {
  const inner = entries.filter(({ name }) => name.startsWith(`${directory}/`));
  return inner.map((entry) => ({ ...entry, name: entry.name.slice(directory.length + 1) }));
}

type Facet = (entry: TarEntry) => string | undefined;

const kindAndContent: Facet = ({ type, target, content }) => {
  if (type === 'symlink') return `a link to ${shown(target)}`;
  if (type !== 'file') return `a ${type}`;
  return `a file of ${content.length} bytes (${createHash('sha1').update(content).digest('hex').slice(0, 8)})`;
};

/** Links do not keep permissions, and a directory changes when something is added to it. */
const modeAndTime: Facet = ({ type, mode, time }) => {
  if (type === 'symlink') return undefined;
  return type === 'directory' ? `mode ${mode.toString(8)}` : `mode ${mode.toString(8)}, time ${time}`;
};

/**
 * Which members came back changed, did not come back, or came without being sent, for some of their facets; in words.
 */
function differences(members: readonly TarMember[], came: readonly TarEntry[], facet: Facet): string[] {
  const sent = new Map(members.map((member) => [member.name, entryOf(member, members)] as const));
  const there = new Map(came.map((entry) => [entry.name, resolved(entry, came)] as const));
  const wrong: string[] = [];
  for (const [name, entry] of sent) {
    const found = there.get(name);
    const [wanted, got] = [facet(entry), found && facet(found)];
    if (wanted !== got) wrong.push(`${shown(name)} is ${got ?? 'not there'} and not ${wanted}`);
  }
  for (const name of there.keys()) if (!sent.has(name)) wrong.push(`${shown(name)} was not sent`);
  return wrong.slice(0, 5);
}

function entryOf(member: TarMember, members: readonly TarMember[]): TarEntry {
  const linked = member.type === 'link' ? members.find(({ name }) => name === member.target) : undefined;
  const { name, type, mode, time, target = '', content = Buffer.alloc(0) } = linked ?? member;
  return { name, type, mode, time, target, content };
}

/** A hard link resolves to its file, whichever directory its target is relative to. */
function resolved(entry: TarEntry, entries: readonly TarEntry[]): TarEntry {
  if (entry.type !== 'link') return entry;
  const target = entry.target.replace(/^(\.?\/)+/, '');
  const found = entries.find(({ name, type }) => type === 'file' && (target === name || target === `data/${name}`));
  return found ?? entry;
}
