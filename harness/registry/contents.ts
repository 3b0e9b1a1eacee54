import type { Blob, RegistryImage } from './image.ts';

/** What a registry holds. */
export class Contents {
  readonly blobs = new Map<string, Blob>();
  readonly uploads = new Map<string, Buffer[]>();
  /** Manifests by repository, then by tag or digest. */
  readonly #repositories = new Map<string, Map<string, Blob>>();

  put(repository: string, reference: string, manifest: Blob): void {
    const manifests = this.#repositories.get(repository) ?? new Map<string, Blob>();
    this.#repositories.set(repository, manifests.set(reference, manifest).set(manifest.digest, manifest));
  }

  putImage(repository: string, tag: string, image: Omit<RegistryImage, 'created'>): void {
    for (const one of [image.config, image.layer, ...image.above]) this.blobs.set(one.digest, one);
    this.put(repository, tag, image.manifest);
  }

  manifest(repository: string, reference: string): Blob | undefined {
    return this.#repositories.get(repository)?.get(reference);
  }

  /** The tags of a repository; undefined when there is no such repository. */
  tags(repository: string): string[] | undefined {
    const manifests = this.#repositories.get(repository);
    return manifests && [...manifests.keys()].filter((reference) => !reference.includes(':')).sort();
  }
}
