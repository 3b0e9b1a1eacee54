import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { workplace } from '../workplace.ts';

/** The texts of the files below a directory of the workplace, by their path in it; none where the directory is missing. */
export function writtenBelow(directory: string): ReadonlyMap<string, string> {
  const whole = path.join(workplace, directory);
  if (!existsSync(whole)) return new Map();
  const files = readdirSync(whole, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => path.join(parentPath, name));
  return new Map(paths.map((file) => [path.relative(whole, file), unpacked(readFileSync(file, 'utf8'))]));
}

/**
 * A page as its reader sees it, with the exchanges that it packs. A secret that is packed is not found in the base64, and
 * what looks like one comes about there by chance.
 */
function unpacked(page: string): string {
  return page.replaceAll(/\bH4sI[\w+/]+={0,2}/g, (packed) => gunzipSync(Buffer.from(packed, 'base64')).toString());
}
