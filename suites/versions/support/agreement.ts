import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { expectValue } from '../../../harness/expect/expect.ts';
import type { JsonValue } from '../../../harness/streams/json.ts';
import { isObject, valuesAt } from '../../../harness/streams/json-path.ts';
import { NotApplicable } from '../../../harness/verdict/outcomes.ts';
import type { FieldRule } from '../../../specs/rule.ts';
import { type ApiVersion, holdsIn, isDocumented } from '../../../specs/versions.ts';
import { meansSame } from '../../containers/support/equivalent-values.ts';
import { fieldRulesOf } from '../../support/field-checks.ts';

/** One thing as an endpoint describes it. */
export interface Account {
  readonly path: string;
  /** The prefix of the rules for the answer's fields: `containers.inspect.field.` */
  readonly fields: string;
  /** Finds the thing in the answer; default: the whole answer. */
  readonly itemOf?: (answer: Exchange) => JsonValue | undefined;
}

/** Fields with a value of their own; they stand for the objects around them. */
function leavesOf(prefix: string): FieldRule[] {
  return fieldRulesOf(prefix).filter(
    ({ field: { path } }, _index, all) =>
      !all.some((other) => /^[.[{]/.test(other.field.path.slice(path.length)) && other.field.path.startsWith(path)),
  );
}

/** Fields that change while the versions are queried one after another. */
const changing = ['Status', 'SizeRw', 'SizeRootFs'];
/** Optional members (Document 1, Image shapes): later versions may give an empty one (Document 4, Images). */
const mayBeUnset = ['ParentId'];
/** Lists whose order means nothing. */
const unordered = ['RepoTags', 'RepoDigests', 'Names'];

/**
 * Since 1.23 identifiers of images carry the name of their digest (Document 1, Image shapes). Null stands for what is
 * empty (interpretation `null-for-empty`).
 */
function comparable(path: string, values: readonly JsonValue[]): string {
  const items = unordered.includes(path)
    ? values
        .flat()
        .filter((value) => value !== null)
        .toSorted()
    : values;
  // Ports and mounts come in any order.
  const sorted = path.includes('[]') ? items.toSorted((one, two) => (shown(one) < shown(two) ? -1 : 1)) : items;
  return JSON.stringify(sorted)
    .replaceAll('"sha256:', '"')
    .replaceAll(/:(?:\{\}|\[\])/g, ':null')
    .replaceAll(/^\[(?:\{\}|\[\])\]$/g, '[null]');
}

/** The configuration inside an image, which has no stated shape (interpretation `image-config-open`). */
const openPath = 'Config';

/** Of two configurations the members that both have: later versions leave out some (Document 4). */
function inBoth(values: readonly JsonValue[], others: readonly JsonValue[]): readonly JsonValue[] {
  const [other] = others;
  return values.map((value) => {
    if (!isObject(value) || !isObject(other)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => Object.hasOwn(other, name))
        .map(([name, member]): [string, JsonValue] => [name, isUnset(member) ? null : member])
        .toSorted(([name], [next]) => (name < next ? -1 : 1)),
    );
  });
}

function isUnset(value: JsonValue): boolean {
  return value === '' || value === false;
}

function isNothing(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '';
}

/** The settings of a container may be written in other words, and null stands for one that is unset (Document 4, Containers). */
function areSettingsAlike(path: string, [one]: readonly JsonValue[], [two]: readonly JsonValue[]): boolean {
  if (!path.startsWith('HostConfig.') || one === undefined || two === undefined) return false;
  const value = (shown: JsonValue) => (isUnset(shown) || shown === 0 ? null : shown);
  return (meansSame(path, one, two) && meansSame(path, two, one)) || value(one) === value(two);
}

function shown(value: JsonValue): string {
  return JSON.stringify(value) ?? '';
}

/** What the versions of a daemon tell of one thing, each in its answer. */
interface Told {
  readonly account: Account;
  readonly answers: ReadonlyMap<ApiVersion, Exchange>;
}

/** The documented versions, and the oldest and newest served: not each one of a long list. */
function versionsToAsk({ target: { serves } }: Engine): readonly ApiVersion[] {
  return serves.filter((one, place) => isDocumented(one) || place === 0 || place === serves.length - 1);
}

/** Asks for the description in each of these versions that the documents have it in, and that the daemon answers in. */
async function askedIn(
  versions: readonly ApiVersion[],
  engine: Engine,
  { path, fields }: Account,
): Promise<Map<ApiVersion, Exchange>> {
  const leaves = leavesOf(fields);
  const answers = new Map<ApiVersion, Exchange>();
  for (const version of versions.filter((one) => leaves.some((rule) => holdsIn(rule, one)))) {
    const answer = await engine.request('GET', path, { prefix: `/v${version}` });
    if (answer.status === 200) answers.set(version, answer);
  }
  return answers;
}

/** Asks the versions about a thing; whichever of them is judged, the answers are the same. */
export async function told(engine: Engine, account: Account): Promise<Told> {
  return { account, answers: await askedIn(versionsToAsk(engine), engine, account) };
}

/**
 * Judges that fields which exist in two versions have the same value in both.
 * @throws NotApplicable when the daemon serves no other version
 */
export async function expectAgreement(engine: Engine, account: Account): Promise<void> {
  await expectToldAlike(engine, await told(engine, account));
}

/** The same of answers that there are already. Only a version that was not asked is asked. */
export async function expectToldAlike(engine: Engine, { account, answers: others }: Told): Promise<void> {
  const { path, fields, itemOf } = account;
  const asked = versionsToAsk(engine).includes(engine.api) ? others : await askedIn([engine.api], engine, account);
  const own = asked.get(engine.api);
  const ownJson = own && (itemOf ? itemOf(own) : own.json);
  const compared = [...others].filter(([version]) => version !== engine.api);
  if (!own || compared.length === 0) throw new NotApplicable(`no two versions tell of ${path}`);
  const leaves = leavesOf(fields);
  for (const [version, other] of compared) {
    const otherJson = itemOf ? itemOf(other) : other.json;
    expectValue(`whether it is told of in ${version} too`, isObject(otherJson), [own, other]).toBe(isObject(ownJson));
    const both = leaves.filter((rule) => holdsIn(rule, engine.api) && holdsIn(rule, version));
    const differing = both.flatMap(({ field }) => {
      if (fields.includes('.list.') && changing.includes(field.path)) return [];
      const [one, two] = [valuesAt(ownJson ?? null, field.path), valuesAt(otherJson ?? null, field.path)];
      // If a field is missing in one of them, its own rule judges that.
      if (one.length === 0 || two.length === 0) return [];
      if (mayBeUnset.includes(field.path) && [one, two].some(([value]) => isNothing(value))) return [];
      const [shared, other] = field.path === openPath ? [inBoth(one, two), inBoth(two, one)] : [one, two];
      const isAlike =
        comparable(field.path, shared) === comparable(field.path, other) || areSettingsAlike(field.path, one, two);
      return isAlike ? [] : [field.path];
    });
    expectValue(`fields whose values differ from those in ${version}`, differing, [own, other]).toBe([]);
  }
}
