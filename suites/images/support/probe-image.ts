import type { Engine } from '../../../harness/engine/engine.ts';
import { given } from '../../../harness/engine/given.ts';
import { probeImage } from '../../../harness/probe/image.ts';

/**
 * Brings an image of the probe onto the daemon by loading it, or by importing it where loading is not served.
 * @param name repository and tag; the caller removes it
 * @param labels what tells it from every other image
 * @returns its identifier on daemons where identifiers are digests of configurations
 * @throws Blocked when the daemon does not accept it
 */
export async function bringImage(
  engine: Engine,
  name: string,
  labels: Readonly<Record<string, string>>,
): Promise<string> {
  const { tar, id, parts } = await probeImage({ architecture: engine.target.architecture, tag: name, labels });
  const headers = { 'content-type': 'application/x-tar' };
  if (await engine.serves('POST', '/images/load')) {
    await given(engine.post('/images/load', { headers, body: tar, takesMs: 30_000 }), 200);
    return id;
  }
  const colon = name.lastIndexOf(':');
  const query = {
    fromSrc: '-',
    repo: name.slice(0, colon),
    tag: name.slice(colon + 1),
    changes: parts.instructions,
  };
  await given(engine.post('/images/create', { headers, body: parts.layer, query, takesMs: 30_000 }), 200);
  return id;
}
