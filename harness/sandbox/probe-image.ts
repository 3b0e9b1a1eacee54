import { archive } from '../probe/archive.ts';
import { type ProbeParts, probeImage } from '../probe/image.ts';
import { imageOf } from '../registry/image.ts';
import { Registry } from '../registry/registry.ts';
import { mayBeAbsent } from '../serving/absence.ts';
import type { Target } from '../target/target.ts';
import { workingVersion } from '../target/working-version.ts';
import { TransportError } from '../transport/errors.ts';
import type { Transport, WireAnswer } from '../transport/wire.ts';
import type { MissingImage } from './missing-image.ts';
import { memberOf, textsIn } from './ownership.ts';
import { removeMade } from './remove.ts';
import type { Sandbox } from './sandbox.ts';
import { untilThere } from './until-there.ts';

const loadMs = 60_000;

/** What one way of bringing the probe image onto the target needs. */
interface Bringing {
  readonly target: Target;
  readonly sandbox: Sandbox;
  readonly parts: ProbeParts;
  readonly tar: Buffer;
  readonly name: string;
  /** Sends a request to a path without the version prefix. */
  readonly ask: (method: string, path: string, tar?: Buffer) => Promise<WireAnswer>;
}

/** In the order in which they are tried: those that produce exactly the same image come first. */
const ways: readonly (readonly [words: string, bring: (bringing: Bringing) => Promise<WireAnswer>])[] = [
  ['load', ({ ask, tar }) => ask('POST', '/images/load', tar)],
  ['import', importLayer],
  ['build', build],
  ['pull', pull],
];

/**
 * Brings the probe image onto the target under the run's own name: it is loaded or, where that produces no image,
 * imported, built or pulled from a registry of the suite.
 * @returns why it is not available; undefined when it is there
 */
export async function loadProbe(
  transport: Transport,
  target: Target,
  sandbox: Sandbox,
): Promise<MissingImage | undefined> {
  const name = sandbox.image;
  const { tar, parts } = await probeImage({
    architecture: target.architecture,
    tag: name,
    labels: sandbox.labels,
  });
  sandbox.note('image', name);
  const api = workingVersion(target.serves);
  const ask: Bringing['ask'] = (method, path, body) => {
    const headers: Record<string, string> = body ? { 'content-type': 'application/x-tar' } : {};
    const request = { method, path: `/v${api}${path}`, headers, ...(body && { body }) };
    return transport.exchange(request, { wholeMs: loadMs });
  };
  const bringing = { target, sandbox, parts, tar, name, ask };
  const failures: string[] = [];
  let isServed = false;
  const missing = (why: string) => ({ reason: `the probe image could not be loaded: ${why}`, isServed });
  try {
    for (const [words, bring] of ways) {
      const look = () => find(bringing, words === 'load');
      const brought = await untilThere(bring(bringing), async () => (await look()) === 'there');
      if (brought === 'there') return undefined;
      const { status } = brought;
      const found = await look();
      if (found === 'there') return undefined;
      isServed ||= !mayBeAbsent(status);
      failures.push(`${words} answered ${status}, then ${found}`);
      // An image that was partly brought would lose its name to the next one, and remain.
      await removeMade({ transport, api, boundMs: loadMs }, sandbox.run, { kind: 'image', name });
    }
    return missing(failures.join('; '));
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    isServed = true;
    return missing(error.message);
  }
}

/**
 * Whether the image is there.
 * @param asItIs accepts it whatever its configuration, which rules judge; otherwise it has to start the probe
 * @returns `there`, or what the target said
 */
async function find({ ask, name }: Bringing, asItIs: boolean): Promise<string> {
  const inspect = await ask('GET', `/images/${name}/json`);
  if (inspect.status === 200) {
    const entrypoint = textsIn(memberOf(memberOf(jsonOf(inspect), 'Config'), 'Entrypoint'));
    return asItIs || entrypoint.includes('/probe') ? 'there' : 'the image does not start the probe';
  }
  // A target that does not inspect images may list them.
  const listed = jsonOf(await ask('GET', '/images/json'));
  const names = Array.isArray(listed) ? listed.flatMap((image: unknown) => textsIn(memberOf(image, 'RepoTags'))) : [];
  return names.includes(name) ? 'there' : `inspect ${inspect.status}`;
}

function jsonOf({ body }: WireAnswer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined; // Rules judge whether the answer is JSON.
  }
}

function importLayer({ ask, name, parts }: Bringing): Promise<WireAnswer> {
  const [repo = '', tag = ''] = name.split(':');
  const query = new URLSearchParams({ fromSrc: '-', repo, tag });
  for (const instruction of parts.instructions) query.append('changes', instruction);
  return ask('POST', `/images/create?${query}`, parts.layer);
}

async function build({ ask, name, parts, target }: Bringing): Promise<WireAnswer> {
  const file = ['FROM scratch', 'ADD probe.tar /', ...parts.instructions, ''].join('\n');
  const context = await archive(
    [
      { name: target.dialect.words.Enginefile, mode: 0o644, content: Buffer.from(file) },
      { name: 'probe.tar', mode: 0o644, content: parts.layer },
    ],
    new Date(0),
  );
  return ask('POST', `/build?${new URLSearchParams({ t: name })}`, context);
}

/** From a registry of the suite, which a target on another machine cannot reach. */
async function pull({ ask, name, parts, sandbox }: Bringing): Promise<WireAnswer> {
  const registry = await Registry.start();
  try {
    const [path = '', tag = ''] = name.split(':');
    registry.contents.putImage(path, tag, imageOf(parts.layer, parts.configuration));
    const repository = `${registry.host}/${path}`;
    sandbox.note('image', `${repository}:${tag}`);
    const pulled = await ask('POST', `/images/create?${new URLSearchParams({ fromImage: repository, tag })}`);
    if (pulled.status !== 200) return pulled;
    const pulledAs = `${repository}:${tag}`;
    const tagged = await ask('POST', `/images/${pulledAs}/tag?${new URLSearchParams({ repo: path, tag })}`);
    if (tagged.status !== 201) return tagged;
    // The image must have only its own name.
    await ask('DELETE', `/images/${pulledAs}`);
    return pulled;
  } finally {
    await registry.close();
  }
}
