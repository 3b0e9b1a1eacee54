import { notFound } from '../errors.ts';
import type { EventBus } from '../events/bus.ts';
import type { Image } from './image.ts';
import { parseReference, taggedName } from './reference.ts';

/** The images of an engine and their names. */
export class ImageStore {
  readonly #events: EventBus;
  readonly #images = new Map<string, Image>();
  /** `repository:tag` to image identifier. */
  readonly #tags = new Map<string, string>();
  /** The other way round. */
  readonly #tagsOf = new Map<string, Set<string>>();
  /** `repository@sha256:…` to image identifier. */
  readonly #digests = new Map<string, string>();

  constructor(events: EventBus) {
    this.#events = events;
  }

  all(): Image[] {
    return [...this.#images.values()];
  }

  get size(): number {
    return this.#images.size;
  }

  add(image: Image): void {
    if (!this.#images.has(image.id)) this.#images.set(image.id, image);
  }

  byId(id: string): Image | undefined {
    return this.#images.get(id);
  }

  /** Finds an image by identifier, its beginning, tag or digest; undefined when there is none. */
  find(name: string): Image | undefined {
    const reference = parseReference(name);
    const named = reference.digest ? this.#digests.get(name) : this.#tags.get(taggedName(reference));
    if (named !== undefined) return this.#images.get(named);
    const id = name.replace(/^sha256:/, '');
    const exact = this.#images.get(id);
    if (exact || !/^[0-9a-f]{4,63}$/.test(id)) return exact;
    const matches = this.all().filter((image) => image.id.startsWith(id));
    return matches.length === 1 ? matches[0] : undefined;
  }

  get(name: string): Image {
    const image = this.find(name);
    if (!image) throw notFound(`no such image: ${name}`);
    return image;
  }

  /** The tag under which `name` finds an image; undefined when it is an identifier or a digest. */
  tagOf(name: string): string | undefined {
    const tag = taggedName(parseReference(name));
    return this.#tags.has(tag) ? tag : undefined;
  }

  tags(id: string): string[] {
    return [...(this.#tagsOf.get(id) ?? [])];
  }

  digests(id: string): string[] {
    return [...this.#digests].filter(([, image]) => image === id).map(([digest]) => digest);
  }

  children(id: string): Image[] {
    return this.all().filter((image) => image.parent === id);
  }

  /** Gives an image a tag, taking it from another image if necessary. */
  tag(id: string, tag: string): void {
    this.#forget(tag);
    this.#tags.set(tag, id);
    const tags = this.#tagsOf.get(id) ?? new Set();
    this.#tagsOf.set(id, tags.add(tag));
  }

  /** Notes the digest (`repository@sha256:…`) under which a registry knows an image. */
  setDigest(id: string, digest: string): void {
    this.#digests.set(digest, id);
  }

  untag(tag: string): void {
    const id = this.#tags.get(tag);
    if (id === undefined) return;
    this.#forget(tag);
    this.#events.emit('image', 'untag', id, { ...this.byId(id)?.config.labels, name: tag });
  }

  /** Removes an image with all its names. */
  remove(id: string): void {
    for (const tag of this.tags(id)) this.untag(tag);
    for (const digest of this.digests(id)) this.#digests.delete(digest);
    const labels = this.byId(id)?.config.labels;
    if (this.#images.delete(id)) this.#events.emit('image', 'delete', id, { ...labels, name: id });
  }

  #forget(tag: string): void {
    const id = this.#tags.get(tag);
    if (id === undefined) return;
    this.#tags.delete(tag);
    const tags = this.#tagsOf.get(id);
    tags?.delete(tag);
    if (tags?.size === 0) this.#tagsOf.delete(id);
  }
}
