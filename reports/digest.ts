import { createHash } from 'node:crypto';

/**
 * The digest of a report over its content: members in the order of the file, without white space between them. It finds
 * accidents and careless edits; who wants to forge a report can compute it as well.
 */
export class ContentDigest {
  readonly #hash = createHash('sha256');

  /** @param json one part of the content as `JSON.stringify` writes it */
  add(json: string): void {
    this.#hash.update(json).update('\n');
  }

  /** `sha256:` and 64 hex digits. */
  end(): string {
    return `sha256:${this.#hash.digest('hex')}`;
  }
}
