import type { RecordedExchange } from '../../harness/events.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import type { Shown, ShownPart, Wanted } from '../../harness/verdict/shown.ts';
import { flat, pointerOf, scalar, sortedLines } from './flat.ts';
import { normal } from './normal.ts';
import { extendedPattern } from './pattern.ts';
import { isCut, jsonOf, outputOf, received } from './recorded.ts';
import type { Words } from './words.ts';

/** Why a script cannot test for the deviation. */
export class NoScript extends Error {
  override readonly name = 'NoScript';
}

interface Context {
  readonly shown: Shown | undefined;
  readonly exchange: RecordedExchange;
  readonly step: number;
  readonly words: Words;
  readonly run: string;
  /** The names and identifiers of what the script makes. */
  readonly names: readonly string[];
  /** What was expected, in words. */
  readonly expected: string;
}

/** The end of a script: checks the answer and exits. @throws NoScript */
export function conditionLines(context: Context): string[] {
  const { shown, exchange, words } = context;
  if (exchange.failure !== undefined && exchange.answer === undefined) return unansweredLines(context);
  const from = shown?.from;
  if (!from) {
    const ready = namedLines(context) ?? statusLines(context);
    if (ready) return ready;
    const compared = namesLines(context) ?? wholeLines(context);
    return [...compared, 'cmp -s "$D/was" "$D/came" && found', 'mended'];
  }
  const place = from.part === 'json' ? placeFor(from.at, context) : [];
  const subject = subjectLines(from, place, context);
  const written = shown.wanted && wantedLines(shown.wanted, from, words);
  if (written) return [...subject, ...written];
  if (isCut(exchange)) throw new NoScript('only a part of the deviating answer was kept');
  const was = recordedSubject(from, place, exchange);
  return [
    ...subject,
    ...fileLines('was.raw', was, words),
    'normal <"$D/came" >"$D/came.normal"',
    'normal <"$D/was.raw" >"$D/was"',
    'cmp -s "$D/was" "$D/came.normal" && found',
    'mended',
  ];
}

function unansweredLines({ step }: Context): string[] {
  return [
    `status_of ${step} | sed 's/^/\t/' >"$D/came"`,
    `[ -n "$(status_of ${step})" ] && [ "$(cat "$D/${step}.rc")" = 0 ] && mended`,
    'found',
  ];
}

/**
 * For the statuses of several answers, checks that of the last, if it is the wrong one: a daemon may give another reason for
 * its refusal each time.
 */
function statusLines({ shown, exchange, step, words }: Context): string[] | undefined {
  if (shown?.wanted?.is !== 'one-of') return undefined;
  const lists = shown.wanted.values.map((value) => (Array.isArray(value) && value.every(isStatus) ? value : []));
  const last = lists.flatMap((list) => list.at(-1) ?? []);
  const status = exchange.answer?.status;
  const decides = last.length > 0 && last.length === lists.length && status !== undefined && !last.includes(status);
  return decides ? [`status_of ${step} | sed 's/^/\t/' >"$D/came"`, ...oneOfLines(last, false, words)] : undefined;
}

function isStatus(value: JsonValue): boolean {
  return typeof value === 'number' && value >= 100 && value < 600;
}

/** For a list of names, compares those in the answer. */
function namesLines({ shown, expected, step, words, run }: Context): string[] | undefined {
  const value = shown?.wanted?.is === 'other-than' ? shown.wanted.value : undefined;
  if (!Array.isArray(value) || run === '' || !expected.includes(`ec-${run}-`)) return undefined;
  const names = value.filter((name) => typeof name === 'string' && name.startsWith(`ec-${run}-`));
  if (names.length !== value.length) return undefined;
  const lines = names.map((name) => `\t${JSON.stringify(name)}`).toSorted();
  return [`own_names ${step} >"$D/came"`, ...fileLines('was', lines, words)];
}

/** Checks the whole answer for a text that must, or must not, be in it. */
function namedLines({ shown, exchange, step, words }: Context): string[] | undefined {
  const { wanted } = shown ?? {};
  if (wanted?.is !== 'with' && wanted?.is !== 'without') return undefined;
  const { is, value } = wanted;
  if (typeof value !== 'string' || value.length < shortestText || /[\n"\\]/.test(value)) return undefined;
  // The recorded answer must show the deviation in this way.
  if (outputOf(exchange).includes(value) !== (is === 'without') || isCut(exchange)) return undefined;
  const [has, lacks] = is === 'with' ? ['mended', 'found'] : ['found', 'mended'];
  return [
    `output_of ${step} 012 | tr '\\000\\r' '\\n\\n' | grep -F -e ${words.quote(value)} | head -n 1 | quoted_line >"$D/came"`,
    `[ -s "$D/came" ] && ${has}`,
    lacks,
  ];
}

/** A shorter text may occur anywhere by chance. */
const shortestText = 4;

/** A longer answer contains values that differ between runs. */
const mostCompared = { values: 40, lines: 15 };

/** The answer is compared as a whole, without what differs between runs. */
function wholeLines({ shown, exchange, step, words, run, names }: Context): string[] {
  if (isCut(exchange)) throw new NoScript('only a part of the deviating answer was kept');
  const body = jsonOf(exchange);
  const status = exchange.answer?.status ?? 0;
  if (received(exchange).length === 0 && exchange.request.method === 'HEAD') {
    throw new NoScript('the check computes the deviation from a header');
  }
  if (received(exchange).length === 0 && exchange.stream !== undefined) {
    throw new NoScript('nothing came on the stream, as when there is nothing to report');
  }
  const begin = [
    '# The check computes the deviation from the answer, so the whole answer is compared with the one that deviated.',
    `status_of ${step} | sed 's/^/\t/' >"$D/came"`,
  ];
  if (body?.isList && shown?.wanted?.is === 'one-of') {
    throw new NoScript('the check computes the deviation from a sequence of messages');
  }
  if (Array.isArray(body?.json) && names.length === 0) {
    throw new NoScript('what deviates in the list is not made by the script');
  }
  const count = body ? flat(body.json).length : outputOf(exchange).toString('latin1').split('\n').length;
  if (count > (body ? mostCompared.values : mostCompared.lines) && !Array.isArray(body?.json)) {
    throw new NoScript('the check computes the deviation from a long answer');
  }
  if (!body) {
    return [
      ...begin,
      `output_of ${step} 012 | distinct >>"$D/came"`,
      ...fileLines('was', [`\t${status}`, ...distinct(outputOf(exchange), run, words.identifiers)], words, false),
    ];
  }
  const lines = ownLines(body.json, names).map((line) => normal(line, run, words.identifiers));
  const sorted = lines.map((line) => Buffer.from(line)).toSorted((one, other) => Buffer.compare(one, other));
  return [
    ...begin,
    `json ${step}${body.isList ? ' list' : ''}`,
    // If one object deviated and several come, all of them are compared, whatever they name.
    `${Array.isArray(body.json) ? `own ${step}` : `cat "$D/${step}.json"`} | normal | sort >>"$D/came"`,
    ...fileLines('was', [`\t${status}`, ...sorted.map(String)], words, false),
  ];
}

/** The lines of a text, as the script makes them comparable. */
function distinct(output: Buffer, run: string, identifiers: readonly string[]): string[] {
  const text = normal(output.toString('latin1').replaceAll('\r', '').replaceAll('\0', '\u0001'), run, identifiers);
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  return [...new Set(lines)].toSorted().map((line) => `\t${Buffer.from(line, 'latin1').toString('utf8')}`);
}

/** For a list, only the items that name something that the script makes. */
function ownLines(json: JsonValue, names: readonly string[]): string[] {
  if (!Array.isArray(json)) return sortedLines(flat(json));
  return json.flatMap((item) => {
    const lines = sortedLines(flat(item));
    return lines.some((line) => names.some((name) => hasName(line, name))) ? lines : [];
  });
}

/** Whether a line contains a name, and not one that merely begins with it. */
function hasName(line: string, name: string): boolean {
  const at = line.indexOf(name);
  return at >= 0 && !/[a-z0-9]/.test(line[at + name.length] ?? '');
}

/** Where to look when several places deviate: preferably in something that the run made. */
function placeFor(given: readonly (readonly string[])[], { exchange, words }: Context): readonly string[] {
  // For several objects in a row, the check may have read only the first.
  const isFirst = (steps: readonly string[]) => steps.length > 0 && !/^\d+$/.test(steps[0] ?? '');
  const isList = jsonOf(exchange)?.isList === true;
  const places = given.map((steps) => (isList && isFirst(steps) ? ['0', ...steps] : steps));
  const [first] = places;
  if (!first) throw new NoScript('it is not known where in the answer the deviation is');
  const own = places.find((steps) => words.anchorOf(exchange, steps));
  if (!own && isCut(exchange)) throw new NoScript('only a part of the deviating answer was kept');
  return own ?? first;
}

/** Writes the judged value to the file `came`. */
function subjectLines(from: ShownPart, place: readonly string[], { exchange, step, words }: Context): string[] {
  switch (from.part) {
    case 'status':
      return [`status_of ${step} | sed 's/^/\t/' >"$D/came"`];
    case 'header':
      return [`header_of ${step} ${words.quote(from.name)} >"$D/came"`];
    case 'text':
      return [`quoted <"$D/${step}.out" >"$D/came"`];
    case 'output':
      return [`output_of ${step} ${from.of === 'both' ? '012' : from.of === 'stdout' ? '1' : '2'} | quoted >"$D/came"`];
    case 'json':
      return jsonSubject(place, exchange, step, words);
  }
}

function jsonSubject(place: readonly string[], exchange: RecordedExchange, step: number, words: Words): string[] {
  const body = jsonOf(exchange);
  // A stream of one object is a list, too.
  const isList = body !== undefined && (body.isList || (!Array.isArray(body.json) && /^\d+$/.test(place[0] ?? '')));
  const lines = [`: >"$D/came"`, 'is_json=yes'];
  lines.push(`if json ${step} ${isList ? 'list' : 'one'}; then`);
  if (place.length === 0) lines.push(`  sort "$D/${step}.json" >"$D/came"`);
  else {
    lines.push(`  place=${words.place(exchange, step, place.slice(0, -1))}`);
    const name = words.quote(pointerOf(place.slice(-1)));
    lines.push(`  under ${step} "$place"${name} | sort >"$D/came"`);
    lines.push(`  [ -n "$(under ${step} "$place")" ] || cannot "the answer has nothing at $place"`);
  }
  lines.push('else', `  quoted <"$D/${step}.out" >"$D/came"`, '  is_json=no', 'fi');
  return lines;
}

/** What the recorded answer has in that place, in the script's format. */
function recordedSubject(from: ShownPart, place: readonly string[], exchange: RecordedExchange): string[] {
  const bytes = received(exchange);
  switch (from.part) {
    case 'status':
      return [`\t${exchange.answer?.status ?? ''}`];
    case 'header': {
      const found = exchange.answer?.headers.find(([name]) => name.toLowerCase() === from.name.toLowerCase());
      return found ? [`\t${JSON.stringify(found[1])}`] : [];
    }
    case 'text':
      return [quotedText(bytes)];
    case 'output':
      return [quotedText(outputOf(exchange, from.of))];
    case 'json': {
      const value = valueAt(jsonOf(exchange)?.json, place);
      return value === undefined ? [] : sortedLines(flat(value));
    }
  }
}

const escapes: Readonly<Record<string, string>> = {
  ...{ '\\': '\\\\', '"': '\\"', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\0': '\\u0000', '\u0001': '\\u0000' },
};

/** Bytes as the script writes them, on one line. */
function quotedText(bytes: Buffer): string {
  const characters = [...bytes.toString('utf8')].map((character) => escapes[character] ?? character);
  return `\t"${characters.join('')}"`;
}

function valueAt(json: JsonValue | undefined, [step, ...rest]: readonly string[]): JsonValue | undefined {
  if (step === undefined || json === undefined) return json;
  if (Array.isArray(json)) return valueAt(json[Number(step)], rest);
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, step)) return undefined;
  return valueAt(json[step], rest);
}

/** Checks `came` and exits; undefined where the condition cannot be written for a shell. */
function wantedLines(wanted: Wanted, from: ShownPart, words: Words): string[] | undefined {
  switch (wanted.is) {
    case 'one-of':
      return oneOfLines(wanted.values, wanted.anyCase === true, words);
    case 'like':
      return [
        ...fileLines('want', sortedLines(flat(wanted.value)), words),
        `for file in came want; do sed 's/\t{[0-9]*$/\t{/' <"$D/$file" | sort >"$D/$file.open"; done`,
        '[ -n "$(comm -23 "$D/want.open" "$D/came.open")" ] && found',
        'mended',
      ];
    case 'there':
      return ['[ -s "$D/came" ] && mended', 'found'];
    case 'absent':
      return ['[ -s "$D/came" ] || mended', 'found'];
    case 'json':
      return ['[ "$is_json" = no ] && found', 'mended'];
    case 'matching': {
      const pattern = extendedPattern(wanted.pattern);
      if (pattern === undefined) return undefined;
      const grep = `grep -q${wanted.anyCase ? 'i' : ''}E -e ${words.quote(pattern)}`;
      return [`sed -e 's/^\t//' -e 's/^"//' -e 's/"$//' <"$D/came" | ${grep} && mended`, 'found'];
    }
    case 'with':
    case 'without':
      return partLines(wanted.is, wanted.value, words);
    case 'at-least':
    case 'at-most': {
      const sign = wanted.is === 'at-least' ? '>=' : '<=';
      return [
        `awk -F'\t' '$1 == "" { exit !($2 ~ /^-?[0-9]/ && $2 + 0 ${sign} ${wanted.value}) }' "$D/came" && [ -s "$D/came" ] && mended`,
        'found',
      ];
    }
    case 'field':
      return [
        `is_field ${wanted.mayLack ? 'may-lack' : 'has'} ${words.quote(wanted.types.join('|'))} && mended`,
        'found',
      ];
    case 'other-than':
      // For JSON, compares with what was recorded: a check may have a list of all values at a path.
      return from.part === 'output' || from.part === 'text' ? otherLines(wanted.value, words) : undefined;
  }
}

function oneOfLines(values: readonly JsonValue[], anyCase: boolean, words: Words): string[] {
  const fold = anyCase ? " | tr '[:upper:]' '[:lower:]'" : '';
  return [
    ...(anyCase ? [`tr '[:upper:]' '[:lower:]' <"$D/came" >"$D/came.low"`] : []),
    ...values.flatMap((value) => {
      const lines = sortedLines(flat(value))
        .map((line) => words.quote(line))
        .join(' ');
      return [`printf '%s\\n' ${lines} | sort${fold} | cmp -s - "$D/came${anyCase ? '.low' : ''}" && mended`];
    }),
    'found',
  ];
}

function otherLines(value: JsonValue, words: Words): string[] {
  return [
    ...fileLines('was.raw', sortedLines(flat(value)), words),
    'normal <"$D/came" >"$D/came.normal"',
    'sort <"$D/was.raw" | normal >"$D/was"',
    'cmp -s "$D/was" "$D/came.normal" && found',
    'mended',
  ];
}

function partLines(is: 'with' | 'without', value: JsonValue, words: Words): string[] | undefined {
  if (typeof value === 'object' && value !== null) return undefined;
  const part = words.quote(scalar(value));
  const [has, lacks] = is === 'with' ? ['mended', 'found'] : ['found', 'mended'];
  return [`has_part ${part} && ${has}`, lacks];
}

function fileLines(file: string, lines: readonly string[], words: Words, hasNames = true): string[] {
  if (lines.length === 0) return [`: >"$D/${file}"`];
  const written = lines.map((line) => (hasNames ? words.quote(line) : words.plain(line)));
  return [`printf '%s\\n' ${written.join(' \\\n  ')} >"$D/${file}"`];
}
