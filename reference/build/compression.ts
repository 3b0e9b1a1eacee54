import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import unbzip2 from 'unbzip2-stream';
import xz from 'xz-decompress';

const beginnings = [
  { begins: Buffer.from([0x1f, 0x8b]), open: promisify<Buffer, Buffer>(gunzip) },
  { begins: Buffer.from('BZh'), open: openBzip2 },
  { begins: Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]), open: openXz },
] as const;

/**
 * The bytes of an archive that may be compressed with gzip, bzip2 or xz, recognized by its first bytes (Document 3,
 * Build an image). Rejects for broken data.
 */
export async function decompress(bytes: Buffer): Promise<Buffer> {
  const found = beginnings.find(({ begins }) => bytes.subarray(0, begins.length).equals(begins));
  return found ? found.open(bytes) : bytes;
}

async function openBzip2(bytes: Buffer): Promise<Buffer> {
  const opened = Readable.from([bytes]).pipe(unbzip2());
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    opened.on('data', (chunk: Uint8Array) => chunks.push(Buffer.from(chunk)));
    opened.on('end', resolve);
    opened.on('error', (error: unknown) => reject(error instanceof Error ? error : new Error(String(error))));
  });
  return Buffer.concat(chunks);
}

async function openXz(bytes: Buffer): Promise<Buffer> {
  return buffer(Readable.fromWeb(new xz.XzReadableStream(streamOf(bytes))));
}

function streamOf(bytes: Buffer): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(bytes));
      controller.close();
    },
  });
}
