import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { didYouMean } from '../../harness/nearest.ts';
import { UsageError } from '../../harness/usage-error.ts';

/** One key of a settings file, whose value conforms to the schema. */
export interface Setting {
  readonly key: string;
  /** One value, or those of a repeatable option. */
  readonly values: readonly (string | number | boolean)[];
  /** File and line, for messages. */
  readonly where: string;
}

/** Options that belong to a single run or are secret, which are not allowed in a file. */
const onCommandLineOnly: Readonly<Record<string, string>> = {
  'auth-password': 'it is a secret: set ENGINE_AUTH_PASSWORD',
  'auth-refresh-token': 'it is a secret: set ENGINE_AUTH_REFRESH_TOKEN',
  'rerun-failed': 'it belongs to one run: give it on the command line',
  'update-baseline': 'it belongs to one run: give it on the command line',
  shard: 'it belongs to one run: give it on the command line',
  watch: 'it belongs to one run: give it on the command line',
};

const schema: { readonly properties: Readonly<Record<string, unknown>> } = JSON.parse(
  readFileSync(new URL('../config.schema.json', import.meta.url), 'utf8'),
);

/** The options that are allowed in a settings file, by their long names. */
export const settingKeys: readonly string[] = Object.keys(schema.properties);

/** The options that are not allowed in it. */
export const otherKeys: readonly string[] = Object.keys(onCommandLineOnly);

/**
 * Reads a settings file.
 * @throws UsageError with file and line for invalid YAML, unknown keys and values of the wrong type
 */
export function readSettings(file: string): Setting[] {
  const lines = new LineCounter();
  const document = parseDocument(textOf(file), { lineCounter: lines, prettyErrors: false });
  const whereAt = (offset: number | undefined) => `${file}:${lines.linePos(offset ?? 0).line}`;
  const [broken] = document.errors;
  if (broken) throw new UsageError(`${whereAt(broken.pos[0])}: not valid YAML: ${broken.message}`);
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null)) return [];
  if (!isMap(contents))
    throw new UsageError(`${file}: settings must be a map of option names to values, such as fail-on: should`);
  const settings: Record<string, unknown> = document.toJSON();
  const whereIs = (key: string) => {
    const pair = contents.items.find((one) => isScalar(one.key) && String(one.key.value) === key);
    return whereAt(pair && isScalar(pair.key) ? pair.key.range?.[0] : undefined);
  };
  const isValid = new Ajv2020({ strictTypes: false }).compile(schema);
  const written = (key: string) => {
    const value: unknown = contents.get(key, true);
    const scalars = (isSeq(value) ? value.items : [value]).filter((one) => isScalar(one));
    return scalars.find((one) => typeof one.value === 'number')?.source;
  };
  if (!isValid(settings)) throw problemOf(isValid.errors ?? [], whereIs, written);
  return Object.entries(settings).map(([key, value]) => ({
    key,
    values: [value].flat().filter(isPlain),
    where: whereIs(key),
  }));
}

function isPlain(value: unknown): value is Setting['values'][number] {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read the settings file (--config): ${error instanceof Error ? error.message : error}`);
  }
}

/** @param written how the file spells the first number of a setting, as 1.20 is not the number 1.2 */
function problemOf(
  errors: readonly ErrorObject[],
  whereIs: (key: string) => string,
  written: (key: string) => string | undefined,
): UsageError {
  const [first] = errors;
  const unknown: unknown = first?.params.additionalProperty;
  if (typeof unknown === 'string') {
    const why = onCommandLineOnly[unknown];
    const hint = why === undefined ? didYouMean(unknown, settingKeys) : `; ${why}`;
    return new UsageError(`${whereIs(unknown)}: '${unknown}' is not a setting${hint}`);
  }
  const [, key = ''] = first?.instancePath.split('/') ?? [];
  const wantsText = errors.some(({ params }) => params.type === 'string');
  const unquoted = written(key);
  const says = wantsText && unquoted !== undefined ? `write ${unquoted} in quotes` : saysOf(first);
  return new UsageError(`${whereIs(key)}: ${key}: ${says}`);
}

const sorts: Readonly<Record<string, string>> = {
  string: 'a string, or a list of strings if the option may be repeated',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
};

function saysOf(error: ErrorObject | undefined): string {
  const allowed: unknown = error?.params.allowedValues;
  const sort = sorts[String(error?.params.type)];
  if (sort !== undefined) return `must be ${sort}`;
  if (Array.isArray(allowed)) return `must be one of ${allowed.join(', ')}`;
  if (error?.keyword === 'pattern') return 'must not be empty';
  return error?.message ?? 'has the wrong form';
}
