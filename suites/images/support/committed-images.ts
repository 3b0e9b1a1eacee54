import type { FixtureContext } from '../../../harness/check.ts';
import type { Container } from '../../../harness/engine/container.ts';
import { create, createBody } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { given, settled } from '../../../harness/engine/given.ts';
import type { Query } from '../../../harness/engine/query.ts';
import { readTar } from '../../../harness/engine/tar.ts';
import { expectValue } from '../../../harness/expect/expect.ts';
import { type Fault, since } from '../../../harness/faults/fault.ts';
import type { JsonValue } from '../../../harness/streams/json.ts';
import { isObject, valuesAt } from '../../../harness/streams/json-path.ts';
import { Blocked } from '../../../harness/verdict/outcomes.ts';
import { atLeast } from '../../../specs/versions.ts';
import { created } from '../../support/common-containers.ts';
import { no, yes } from '../../support/spellings.ts';

/** An image of the check's own, committed from a container. */
export interface CommittedImage {
  /** Without `sha256:` (interpretation `sha256-prefix`). */
  readonly id: string;
  readonly repository: string;
  /** `repository:tag` */
  readonly name: string;
}

export function inspectImage(engine: Engine, name: string): Promise<Exchange> {
  return engine.get(`/images/${name}/json`);
}

/** The identifier that an answer gives in `Id`, without `sha256:`. */
export function idOf(answer: Exchange): string {
  return plainId(valuesAt(answer.json, 'Id')[0]);
}

export function plainId(value: JsonValue | undefined): string {
  return String(value ?? '').replace(/^sha256:/, '');
}

/** An identifier as a daemon gives it: since 23 Id has a prefix (Document 1, Image shapes), and clients hand that on. */
export function wholeId({ api }: Pick<Engine, 'api'>, id: string): string {
  return atLeast(api, '1.23') ? `sha256:${id}` : id;
}

/** Finds images by a name or by the hexadecimal digits alone, and not by an identifier as it gives it. */
export const findsNoWholeId: Fault = since('1.23', {
  name: 'finds no image by an identifier with its prefix',
  request: (request) =>
    /\/images\/(?:get\?names=)?sha256(?::|%3A)/.test(request.path)
      ? { instead: { status: 404, headers: [], body: Buffer.from('no such image') } }
      : request,
});

/** A new `repository:tag` for an image; it is removed when the check ends. */
export function newName(engine: Engine, tag = 'ec'): { readonly repository: string; readonly name: string } {
  const repository = engine.name('image');
  const name = `${repository}:${tag}`;
  engine.made({ kind: 'image', name });
  return { repository, name };
}

/** Commits a container under a new name, to be judged. */
export async function commit(
  engine: Engine,
  container: Pick<Container, 'id'>,
  options: ImageOptions = {},
): Promise<{ answer: Exchange; repository: string; name: string }> {
  const { repository, name } = newName(engine);
  const query = { container: container.id, repo: repository, tag: 'ec', ...options.query };
  const answer = await engine.post('/commit', { query, json: options.json ?? {} });
  return { answer, repository, name };
}

interface ImageOptions {
  readonly query?: Query;
  readonly json?: unknown;
}

/** What a check or fixture has to provide to make an image. */
export type ImageContext = Pick<FixtureContext, 'engine' | 'use'>;

/** Makes an image that differs from all others. @throws Blocked when it cannot be made */
export async function makeImage(
  { engine, use }: ImageContext,
  options: ImageOptions & { readonly from?: Pick<Container, 'id'> } = {},
): Promise<CommittedImage> {
  return makeImageFrom(engine, options.from ?? (await use(created)), options);
}

/** The same from a container of the caller's. @throws Blocked when it cannot be made */
export async function makeImageFrom(
  engine: Engine,
  container: Pick<Container, 'id'>,
  options: ImageOptions = {},
): Promise<CommittedImage> {
  const changes = `LABEL ec.own=${engine.unusedName('image')}`;
  const { answer, repository, name } = await commit(engine, container, {
    ...options,
    query: { changes, ...options.query },
  });
  await given(Promise.resolve(answer), 201);
  return { id: idOf(answer), repository, name };
}

/** The content of a file in an image. @throws Blocked as `filesIn` does */
export async function fileIn(engine: Engine, image: string, path: string): Promise<string | undefined> {
  return (await filesIn(engine, image, path))[path];
}

/**
 * The contents of files in a new container of an image, by their paths; undefined where there is no such file.
 * @throws Blocked when there is no container, or no archive of it
 */
export async function filesIn(
  engine: Engine,
  image: string,
  ...paths: readonly string[]
): Promise<Readonly<Record<string, string | undefined>>> {
  const created = await given(create(engine, { ...createBody(engine), Image: image }), 201);
  const files: Record<string, string | undefined> = {};
  for (const path of paths) {
    const answer = await given(engine.get(`/containers/${idOf(created)}/archive`, { path }), 200, 404);
    const [file] = answer.status === 404 ? [] : await settled(readTar(answer.answer.body), 'reading the archive');
    files[path] = file?.content.toString();
  }
  return files;
}

/** Answers every image with 404. */
export const missingImage: Fault = {
  name: 'finds no image',
  answer: (answer) => (answer.status < 400 ? { status: 404, headers: [], body: Buffer.from('no such image') } : answer),
};

/** Answers 400 to a flag that is spelt like this. */
export function refusesSpelling(parameter: string, spelling: string): Fault {
  return {
    name: `refuses ${parameter}=${spelling}`,
    request: (request) =>
      request.path.includes(`${parameter}=${spelling}`)
        ? { instead: { status: 400, headers: [], body: Buffer.from('bad parameter') } }
        : request,
  };
}

/** All six spellings of a flag, those for true first. */
export const allSpellings = [...yes, ...no];

/** The image found under a name has this identifier. */
export async function expectFound(engine: Engine, name: string, id: string): Promise<void> {
  expectFoundIn(await inspectImage(engine, name), name, id);
}

/** The same of an answer to inspect. */
export function expectFoundIn(answer: Exchange, name: string, id: string): void {
  const found = answer.status === 200 ? idOf(answer) : `status ${answer.status}`;
  expectValue(`what ${name.includes(':') ? 'the name' : 'it'} finds`, found, [answer]).toBe(id);
}

/** The one item of a list of objects for which a condition holds. @throws Blocked when there is none */
export function itemWhere(answer: Exchange, holds: (item: Readonly<Record<string, JsonValue>>) => boolean): Exchange {
  const items = Array.isArray(answer.json) ? answer.json : [];
  const item = items.filter(isObject).find(holds);
  if (!item) throw new Blocked('the list does not have the image of this check');
  return answer.narrowedTo(item);
}
