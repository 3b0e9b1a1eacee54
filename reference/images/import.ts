import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { badParameter, serverError } from '../errors.ts';
import type { Call } from '../http/call.ts';
import { download } from '../http/download.ts';
import type { JsonObject } from '../http/fields.ts';
import { applyInstructions } from './changes.ts';
import { makeImage, rootWithLayer } from './make.ts';
import { taggedName } from './reference.ts';
import { readNewName } from './tag.ts';

const largestArchive = 1024 * 1024 * 1024;

/** POST /images/create with fromSrc (Document 3, Create an image): a file system from the body or an address. */
export async function importImage(call: Call): Promise<void> {
  const fromSrc = call.query.text('fromSrc');
  if (fromSrc === undefined) throw badParameter('fromSrc: no source is named');
  const repo = call.query.text('repo');
  const name = repo === undefined ? undefined : taggedName(readNewName(repo, call.query.text('tag')));
  // The documents name neither `changes` nor `message` here; clients send them as for commit.
  const config = applyInstructions({}, call.query.lines('changes'));
  const comment = call.query.text('message') ?? `Imported from ${fromSrc}`;
  const archive = fromSrc === '-' ? await call.bytes(largestArchive) : await fetchSource(fromSrc);
  const image = await readRoot(archive, { config, comment });
  const { images, events } = call.engine;
  images.add(image);
  if (name !== undefined) images.tag(image.id, name);
  events.emit('image', 'import', image.id, { ...image.config.labels, name: name ?? image.id });
  const { res } = call;
  res.writeHead(200, { 'Content-Type': 'application/json' });
  if (fromSrc !== '-') {
    const { length } = archive;
    res.write(`${JSON.stringify({ status: `Downloading from ${fromSrc}` })}\r\n`);
    res.write(
      `${JSON.stringify({ status: 'Importing', progressDetail: { current: length, total: length }, progress: `${length} B/${length} B` })}\r\n`,
    );
  }
  res.end(`${JSON.stringify({ status: `sha256:${image.id}` })}\r\n`);
}

async function readRoot(archive: Buffer, described: { readonly config: JsonObject; readonly comment: string }) {
  try {
    const isGzip = archive[0] === 0x1f && archive[1] === 0x8b;
    const root = await rootWithLayer(undefined, isGzip ? await promisify(gunzip)(archive) : archive);
    return await makeImage({ parent: undefined, root, ...described });
  } catch (error) {
    throw serverError(`cannot import: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function fetchSource(address: string): Promise<Buffer> {
  try {
    return await download(/^https?:\/\//.test(address) ? address : `http://${address}`);
  } catch (error) {
    throw serverError(error instanceof Error ? error.message : String(error));
  }
}
