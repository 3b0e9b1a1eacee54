import { create, createBody } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { control, given, settled } from '../../../harness/engine/given.ts';
import { lookUntil } from '../../../harness/engine/look-until.ts';
import type { Query } from '../../../harness/engine/query.ts';
import { expect, expectValue } from '../../../harness/expect/expect.ts';
import { type ArchiveMember, archive } from '../../../harness/probe/archive.ts';
import type { JsonValue } from '../../../harness/streams/json.ts';
import { isObject, valuesAt } from '../../../harness/streams/json-path.ts';
import { decodeObjects, ObjectViolation } from '../../../harness/streams/objects.ts';
import { currentJudgement } from '../../../harness/verdict/judgement.ts';
import { Blocked, Deviation } from '../../../harness/verdict/outcomes.ts';
import { doneOnce } from '../../support/done-once.ts';
import { errorsIn } from '../../support/error-objects.ts';
import { no, type Spelling, yes } from '../../support/spellings.ts';

/** A build takes its time on a busy machine. */
export const buildMs = 30_000;

export const tarHeaders = { 'content-type': 'application/x-tar' } as const;

/** What one check builds. */
export interface Own {
  /** `repository:tag` for the image, which is removed when the check ends. */
  readonly name: string;
  /** A label, as `key=value`, that nothing else has. */
  readonly label: string;
}

export function own(engine: Engine): Own {
  const repository = engine.name('image');
  const name = `${repository}:ec`;
  const label = `ec.build=${repository}`;
  engine.made({ kind: 'image', name, label });
  return { name, label };
}

/**
 * A build file on the probe image. Without instructions it labels the image, which would otherwise be the probe's own.
 */
export function fileOf(engine: Engine, made: Own, ...instructions: readonly string[]): string {
  const steps = instructions.length > 0 ? instructions : [labelling(made)];
  return [`FROM ${engine.sandbox.image}`, ...steps, ''].join('\n');
}

/** An instruction that makes every later step miss the cache, and by whose label intermediate containers are found. */
export function labelling({ label }: Own): string {
  return `LABEL ${label}`;
}

/** A RUN with steps of the probe. */
export function run(...steps: readonly string[]): string {
  return `RUN ${JSON.stringify(['/probe', ...steps])}`;
}

/**
 * A RUN that writes a line, and then takes further steps of the probe. A letter is escaped, so that the line does not occur
 * in the instruction itself.
 */
export function says(word: string, ...steps: readonly string[]): string {
  return run('out', `${escaped(word)}\\n`, ...steps);
}

/** A text for the probe to write, which does not contain it. */
export function escaped(text: string): string {
  return `\\x${text.charCodeAt(0).toString(16)}${text.slice(1)}`;
}

export function file(name: string, content: string): ArchiveMember {
  return { name, mode: 0o644, content: Buffer.from(content) };
}

/** A context with the build file under its default name. */
export function contextWith(engine: Engine, buildFile: string, ...members: readonly ArchiveMember[]): Promise<Buffer> {
  return contextOf(file(engine.target.dialect.words.Enginefile, buildFile), ...members);
}

export function contextOf(...members: readonly ArchiveMember[]): Promise<Buffer> {
  return archive(members, new Date('2024-01-01T00:00:00Z'));
}

/**
 * Sends a build and reads its whole output. It does not use the cache, for which engines look through all images, and
 * those of other checks are being removed meanwhile.
 */
export async function build(
  engine: Engine,
  body: Buffer | undefined,
  asked: Query = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Exchange> {
  const query = { nocache: true, ...asked };
  const sent = body ? { body, headers: { ...tarHeaders, ...headers } } : { headers };
  return (await engine.open('POST', '/build', { ...sent, query, takesMs: buildMs })).whole();
}

/** Builds instructions on the probe image. */
export async function buildOf(
  engine: Engine,
  made: Own,
  instructions: readonly string[],
  query: Query = {},
): Promise<Exchange> {
  return build(engine, await contextWith(engine, fileOf(engine, made, ...instructions)), { t: made.name, ...query });
}

type Object = Readonly<Record<string, JsonValue>>;

/** The least that a build can have: it labels an image. Nothing in its answer is judged yet. */
export const labelledOnce = doneOnce('a build of a label', async ({ engine }) => {
  const made = own(engine);
  return { made, answer: await buildOf(engine, made, []) };
});

/** A build that runs one instruction, as it may be in the cache afterwards. */
function buildOfCached(engine: Engine, made: Own, query: Query): Promise<Exchange> {
  // Of no other build, so that only the same build can have filled the cache.
  return buildOf(engine, made, [says('ec-ran', 'err', made.label)], query);
}

/** Of the builds after the first: an image that loses its name would stay until the run ends. */
const tagsAgain = ['with-cache', 'without-cache', ...yes, ...no] as const;

/** The first such build. It and every later one want no other checks beside them, which may remove images. */
export const cachedOnce = doneOnce('a build that may fill the cache', async ({ engine }) => {
  const made = own(engine);
  // All stay until the last check that builds again has ended: an engine may have the image of one alone in its cache.
  for (const tag of tagsAgain) engine.made({ kind: 'image', name: `${made.name}-${tag}` });
  const answer = await control(buildOfCached(engine, made, { nocache: undefined }), 200);
  await isThere(engine, made.name, answer);
  return { made, answer };
});

/** The same build again. */
export function buildAgain(
  engine: Engine,
  { made, tag, nocache }: { made: Own; tag: (typeof tagsAgain)[number]; nocache: Spelling | undefined },
): Promise<Exchange> {
  return buildOfCached(engine, made, { nocache, t: `${made.name}-${tag}` });
}

/** The objects of a build's output. @throws Deviation when it is not a stream of objects */
export function objectsOf(answer: Exchange): Object[] {
  try {
    return decodeObjects(answer.answer.body)
      .map(({ value }) => value)
      .filter(isObject);
  } catch (error) {
    if (error instanceof ObjectViolation) throw new Deviation('JSON objects one after another', error.message);
    throw error;
  }
}

/** What a build wrote, as one text. */
export function outputOf(answer: Exchange): string {
  return objectsOf(answer)
    .map(({ stream }) => (typeof stream === 'string' ? stream : ''))
    .join('');
}

/** Whether a build failed: it was refused, or its output has an error object (interpretation `build-errors`). */
export function hasFailed(answer: Exchange): boolean {
  return errorOf(answer) !== undefined;
}

function errorOf(answer: Exchange): string | undefined {
  if (answer.status >= 400) return answer.text.trim();
  return errorsIn(objectsOf(answer), answer).find((error) => typeof error === 'string');
}

export function expectFailure(answer: Exchange): void {
  expectValue('whether the build fails', hasFailed(answer), [answer]).toBe(true);
}

/** The same build without its one defect, which must produce its image. @throws Blocked */
export async function builds(engine: Engine, made: Own, step: Promise<Exchange>): Promise<Exchange> {
  const answer = await control(step, 200);
  await isThere(engine, made.name, answer);
  return answer;
}

/**
 * Requires that a build has made its image.
 * @param built as `expectImage` takes it
 * @throws Blocked
 */
export function isThere(engine: Engine, name: string, built: Exchange): Promise<Exchange> {
  return settled(expectImage(engine, name, built), 'a build before the assertion');
}

/** Requires that images exist, by one look at all. @throws Blocked */
export async function areThere(engine: Engine, names: readonly string[]): Promise<void> {
  const list = await given(engine.get('/images/json'), 200);
  const items = Array.isArray(list.json) ? list.json.filter(isObject) : [];
  const listed = items.flatMap(({ RepoTags }) => (Array.isArray(RepoTags) ? RepoTags : [])).map(String);
  for (const name of names) {
    // A daemon may complete a short name.
    if (listed.some((tag) => tag === name || tag.endsWith(`/${name}`))) continue;
    currentJudgement().judged([list.id]);
    throw new Blocked(`the list of images does not have ${name}, which was built`);
  }
}

const removedWithinMs = 1_000;

/**
 * Inspects an image. Engines that look through all images for its parent fail while another one is being removed, which
 * says nothing about the build, so the request is repeated.
 */
export function inspectImage(engine: Engine, name: string): Promise<Exchange> {
  const inspect = () => engine.get(`/images/${name}/json`);
  return lookUntil(inspect, ({ status }) => status !== 500, removedWithinMs);
}

/** The identifier in an image's inspect answer, without `sha256:` (interpretation `sha256-prefix`); empty if none. */
export function idOf(inspect: Exchange): string {
  const [id] = valuesAt(inspect.json, 'Id');
  return typeof id === 'string' ? id.replace(/^sha256:/, '') : '';
}

/**
 * Judges that an image with this name exists.
 * @param built the answer to its build; where there is no image, the error in it says why
 */
export async function expectImage(engine: Engine, name: string, built: Exchange): Promise<Exchange> {
  const inspect = await inspectImage(engine, name);
  if (inspect.status !== 200) expectSuccess(built, inspect);
  expectImageIn(inspect);
  return inspect;
}

/** Judges that a build told no error. @param without what shows that it made no image */
function expectSuccess(built: Exchange, without: Exchange): void {
  expectValue('the error of the build', errorOf(built) ?? 'none', [built, without]).toBe('none');
}

/** The same of an answer to inspect. */
export function expectImageIn(inspect: Exchange): void {
  expect(inspect).toHaveStatus(200);
  // What an identifier looks like is not stated.
  expectValue('its identifier', idOf(inspect), [inspect]).toDiffer('');
}

/**
 * Judges labels that containers inherit from an image.
 * @param built as `expectImage` takes it
 */
export async function expectLabel(
  engine: Engine,
  name: string,
  built: Exchange,
  ...wanted: readonly (readonly [key: string, value: string])[]
): Promise<void> {
  // Not every version shows the labels of the image itself.
  const created = await create(engine, createBody(engine, { config: { Image: name } }));
  if (created.status !== 201) expectSuccess(built, created);
  expect(created).toHaveStatus(201);
  const inspect = await given(engine.get(`/containers/${String(valuesAt(created.json, 'Id')[0])}/json`), 200);
  const labels = valuesAt(inspect.json, 'Config.Labels')[0];
  for (const [key, value] of wanted) {
    expectValue(`the label ${key}`, isObject(labels) ? labels[key] : undefined, [created, inspect]).toBe(value);
  }
}
