import type { Words } from '../../specs/words.ts';
import { download } from '../http/download.ts';
import { type DirectoryNode, newDirectory } from '../process/file-system.ts';
import { decompress } from './compression.ts';
import { contextNode, isTar, readContext } from './context.ts';
import { fetchRepository, isGitAddress } from './git.ts';
import type { BuildParameters } from './parameters.ts';
import { type Instruction, parseBuildFile } from './parse.ts';

/** What a build works on. */
export interface BuildSource {
  readonly instructions: readonly Instruction[];
  readonly context: DirectoryNode;
}

/**
 * Finds the build file and the context, in the body of the request or at the address in `remote` (Document 3, Build an
 * image). Rejects when there is no build file, or its syntax is wrong.
 */
export async function readSource(
  { remote, buildFile }: Pick<BuildParameters, 'remote' | 'buildFile'>,
  body: () => Promise<Buffer>,
  words: Words,
): Promise<BuildSource> {
  if (remote !== undefined && isGitAddress(remote)) return sourceIn(await fetchRepository(remote), buildFile, words);
  const bytes = remote === undefined ? await body() : await fetchRemote(remote);
  if (remote !== undefined && !isTar(await decompress(bytes))) {
    return { instructions: parseBuildFile(bytes.toString('utf8')), context: newDirectory() };
  }
  return sourceIn(await readContext(bytes), buildFile, words);
}

function sourceIn(context: DirectoryNode, buildFile: string | undefined, words: Words): BuildSource {
  const path = buildFile ?? words.Enginefile;
  const file = contextNode(context, path);
  if (file?.kind !== 'file') throw new Error(`there is no build file ${path} in the context`);
  return { instructions: parseBuildFile(file.data.toString('utf8')), context };
}

async function fetchRemote(address: string): Promise<Buffer> {
  if (!/^https?:\/\//.test(address)) throw new Error(`remote: ${address} is no address over HTTP`);
  return download(address);
}
