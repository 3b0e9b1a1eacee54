import type { Container } from './container.ts';

/** Name, image and labels, which every event of a container carries. */
export function eventAttributes(container: Container): Record<string, string> {
  return { ...container.config.Labels, image: container.config.Image, name: container.name };
}
