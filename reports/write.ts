import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Characters that are written at once: thousands of small pieces cost several times as much as a few large ones. */
const written = 64 * 1024;

/** Writes a file so that a reader sees all of it or nothing; creates its directory if necessary. */
export async function writeAtomically(file: string, pieces: AsyncIterable<string> | Iterable<string>): Promise<void> {
  const directory = dirname(file);
  await mkdir(directory, { recursive: true });
  const temporary = join(directory, `.${basename(file)}.${process.pid}.tmp`);
  try {
    await pipeline(Readable.from(joined(pieces)), createWriteStream(temporary));
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The same text in larger pieces. */
async function* joined(pieces: AsyncIterable<string> | Iterable<string>): AsyncIterable<string> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length < written) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
