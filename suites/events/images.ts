import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { given } from '../../harness/engine/given.ts';
import { valuesAt } from '../../harness/expect/json-path.ts';
import { probeImage } from '../../harness/probe/image.ts';

export interface LoadedImage {
  readonly name: string;
  /** As inspect gives it. */
  readonly id: string;
}

/** Loads an image of its own, with further labels. @throws Blocked when it is not there then */
export async function loadImage(engine: Engine, more: Readonly<Record<string, string>> = {}): Promise<LoadedImage> {
  const repository = engine.name('image');
  const name = `${repository}:latest`;
  engine.made({ kind: 'image', name });
  // A label of its own makes every image another one.
  const labels = { ...engine.sandbox.labels, 'ec.own': repository, ...more };
  const { tar } = await probeImage({ architecture: engine.target.architecture, tag: name, labels });
  const headers = { 'content-type': 'application/x-tar' };
  await given(engine.post('/images/load', { headers, body: tar, boundMs: 60_000 }), 200);
  const inspect = await inspectSettled(engine, name);
  return { name, id: String(valuesAt(inspect.json, 'Id')[0]) };
}

/** Inspect of an image, asked for again while the daemon is not through with others. @throws Blocked */
async function inspectSettled(engine: Engine, name: string): Promise<Exchange> {
  const deadline = Date.now() + 5_000;
  for (;;) {
    const inspect = await engine.get(`/images/${name}/json`);
    if (inspect.status === 200 || Date.now() > deadline) return given(Promise.resolve(inspect), 200);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Removes an image with its only name. @throws Blocked when it is not removed */
export async function removeImage(engine: Engine, { name }: LoadedImage): Promise<void> {
  await given(engine.delete(`/images/${name}`), 200);
}
