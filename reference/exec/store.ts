import type { Container } from '../containers/container.ts';
import { notFound } from '../errors.ts';
import type { ExecInstance } from './instance.ts';

/** When a container has more instances than this, it forgets the oldest that have ended. */
const most = 1000;

/** The exec instances of an engine. Each is removed with its container. */
export class ExecStore {
  readonly #instances = new Map<string, ExecInstance>();

  add(instance: ExecInstance): void {
    const { execs } = instance.container;
    this.#instances.set(instance.id, instance);
    execs.push(instance);
    const oldest = execs.length > most ? execs.findIndex(({ finished }) => finished) : -1;
    for (const { id } of oldest >= 0 ? execs.splice(oldest, 1) : []) this.#instances.delete(id);
  }

  /** Forgets the instances of a container that is removed. */
  removeOf({ execs }: Container): void {
    for (const { id } of execs) this.#instances.delete(id);
  }

  /** Throws 404 when no container has such an instance. */
  get(id: string): ExecInstance {
    const found = this.#instances.get(id);
    if (!found) throw notFound(`no such exec instance: ${id}`);
    return found;
  }
}
