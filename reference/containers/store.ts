import { notFound } from '../errors.ts';
import type { Container } from './container.ts';

/** The containers of an engine, in the order of their creation, and their names. */
export class ContainerStore {
  readonly #containers = new Map<string, Container>();
  /** Names without a slash at the start. */
  readonly #names = new Map<string, Container>();

  all(): Container[] {
    return [...this.#containers.values()];
  }

  add(container: Container): void {
    this.#containers.set(container.id, container);
    this.#names.set(container.name, container);
  }

  remove(container: Container): void {
    this.#containers.delete(container.id);
    if (this.#names.get(container.name) === container) this.#names.delete(container.name);
  }

  rename(container: Container, name: string): void {
    this.#names.delete(container.name);
    container.name = name;
    this.#names.set(name, container);
  }

  hasName(name: string): boolean {
    return this.#names.has(name);
  }

  /** Finds a container by identifier, name, or the beginning of its identifier. */
  find(text: string): Container | undefined {
    const exact = this.#containers.get(text) ?? this.#names.get(text.replace(/^\//, ''));
    if (exact || !/^[0-9a-f]{1,63}$/.test(text)) return exact;
    let found: Container | undefined;
    for (const container of this.#containers.values()) {
      if (!container.id.startsWith(text)) continue;
      if (found) return undefined;
      found = container;
    }
    return found;
  }

  get(text: string): Container {
    const container = this.find(text);
    if (!container) throw notFound(`no such container: ${text}`);
    return container;
  }
}
