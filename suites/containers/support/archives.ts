import { fixture } from '../../../harness/check.ts';
import { makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { given } from '../../../harness/engine/given.ts';
import type { Query } from '../../../harness/engine/query.ts';
import { readTar } from '../../../harness/engine/tar.ts';
import { type ArchiveMember, archive } from '../../../harness/probe/archive.ts';
import { commonContainer } from '../../support/common-containers.ts';

/** A file at the root of `placed`. */
export const placedFile = { name: 'ec-file', content: 'eighteen bytes ok\n' } as const;

/** The content of the file that the link in `linked` points to. */
export const linkTarget = 'of the target';

/** A directory with one file at the root of `placed`. */
export const placedDirectory = { name: 'ec-dir', inner: 'inner', content: 'inside\n' } as const;

/** Unpacks members into a directory of a container (Document 2, Archive endpoints). */
export async function putArchive(
  engine: Engine,
  container: string,
  query: Query,
  members: readonly ArchiveMember[],
): Promise<Exchange> {
  const body = await archive(members, new Date('2024-01-01T00:00:00Z'));
  const headers = { 'content-type': 'application/x-tar' };
  return engine.request('PUT', `/containers/${container}/archive`, { query, headers, body });
}

export function fileMember(name: string, content: string): ArchiveMember {
  return { name, mode: 0o644, content: Buffer.from(content) };
}

export function directoryMember(name: string): ArchiveMember {
  return { name, mode: 0o755 };
}

/** Names and contents of the regular files of an archive, which may have entries of directories, too. */
export async function filesIn({ answer }: Exchange): Promise<Readonly<Record<string, string>>> {
  const files = (await readTar(answer.body)).filter(({ type }) => type === 'file');
  return Object.fromEntries(files.map(({ name, content }) => [name, content.toString('utf8')]));
}

/** Where a process of `placed` would start: paths of the archive endpoints are never relative to it. */
export const workingDir = '/etc';

/** A container that was not started, with a file and a directory of the suite at its root. */
export const placed = fixture(
  'a container with files of the suite',
  async ({ engine }) => {
    const container = await makeContainer(engine, { config: { WorkingDir: workingDir } });
    const { name, inner, content } = placedDirectory;
    const members = [
      fileMember(placedFile.name, placedFile.content),
      directoryMember(name),
      fileMember(`${name}/${inner}`, content),
    ];
    await given(putArchive(engine, container.id, { path: '/' }, members), 200);
    return { id: container.id, name: container.name };
  },
  { allVersions: (made) => made },
);

/** A container with a symbolic link at `/ec-link` to a file. */
export const linked = commonContainer('a container with a symbolic link', {
  run: ['write', '/ec-target', linkTarget, 'symlink', '/ec-target', '/ec-link'],
  state: 'exited',
});

/** Never started. Checks unpack archives in its `/data` under names of their own, and look at nothing else in it. */
export const unpackedIn = commonContainer('a created container for archives', { config: { WorkingDir: workingDir } });
