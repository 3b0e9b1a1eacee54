import { createHash } from 'node:crypto';

/**
 * The digest of a report's content: members in the order of the file, without white space between them. It detects
 * accidents and careless edits; a forger can compute it as well.
 */
export class ContentDigest {
  readonly #hash = createHash('sha256');

  /** @param json one part of the content as written by `JSON.stringify` */
  add(json: string): void {
    this.#hash.update(json).update('\n');
  }

  /** `sha256:` and 64 hex digits. */
  end(): string {
    return `sha256:${this.#hash.digest('hex')}`;
  }
}
