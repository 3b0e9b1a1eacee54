import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { serverError } from '../errors.ts';
import type { Call } from '../http/call.ts';
import { parseReference, taggedName } from './reference.ts';
import { type LoadedImage, readTarball } from './tarball.ts';

const largestTarball = 1024 * 1024 * 1024;

/** POST /images/load (Document 3, Load a tarball of images). */
export async function loadImages(call: Call): Promise<void> {
  const quiet = call.since('1.23') && call.query.flag('quiet');
  const body = await call.bytes(largestTarball);
  let loaded: LoadedImage[];
  try {
    const isGzip = body[0] === 0x1f && body[1] === 0x8b;
    loaded = await readTarball(isGzip ? await promisify(gunzip)(body) : body);
  } catch (error) {
    const message = `cannot load the image: ${error instanceof Error ? error.message : String(error)}`;
    if (!call.since('1.23')) throw serverError(message);
    return stream(call, [{ errorDetail: { message }, error: message }]);
  }
  const { images } = call.engine;
  for (const { image, tags } of loaded) {
    images.add(image);
    for (const tag of tags) images.tag(image.id, taggedName(parseReference(tag)));
  }
  if (call.since('1.23')) stream(call, progress(loaded, quiet));
  else call.answerEmpty(200);
}

/** Progress objects for each layer, and a closing line for each name. */
function progress(loaded: readonly LoadedImage[], quiet: boolean): object[] {
  const lines: object[] = [];
  for (const { image, tags } of loaded) {
    const id = image.id.slice(0, 12);
    if (!quiet) {
      const total = Math.max(image.size, 1);
      const bar = `[${'='.repeat(50)}>] ${image.size} B/${image.size} B`;
      lines.push({ status: 'Loading layer', progressDetail: { current: total, total }, progress: bar, id });
    }
    for (const tag of tags) lines.push({ stream: `Loaded image: ${tag}\n` });
    // An intermediate image is not what the tarball was made for.
    const isParent = loaded.some((other) => other.image.parent === image.id);
    if (tags.length === 0 && !isParent) lines.push({ stream: `Loaded image ID: sha256:${image.id}\n` });
  }
  return lines;
}

function stream({ res }: Call, objects: readonly object[]): void {
  res.writeHead(200, { 'Content-Type': 'application/json' });
  for (const object of objects) res.write(`${JSON.stringify(object)}\r\n`);
  res.end();
}
