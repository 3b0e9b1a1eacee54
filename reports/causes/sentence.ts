import { grouped } from '../grouped.ts';
import { noAnswerInTime, type Seen, type Sighting } from './seen.ts';
import { steadyText } from './steady.ts';

/** How many names a list shows; the rest is a number. */
const named = 5;
/** Limit in characters for what was expected and what came, each. */
const told = 90;

/**
 * The sighting that represents a cause: the most frequent one or, among equals, the one that says most about the
 * target.
 */
export function chiefOf(sightings: readonly [Sighting, ...Sighting[]]): Sighting {
  const failing = sightings.filter(({ result }) => result.verdict === 'fail');
  const byKind = grouped(failing.length > 0 ? failing : sightings, ({ seen }) => seen.is);
  const [chief] = [...byKind.values()]
    .toSorted((a, b) => b.length - a.length || rankOf(a) - rankOf(b))
    .flatMap((own) => own[0] ?? []);
  return byKind.get('not-served')?.[0] ?? chief ?? sightings[0];
}

/** From what says most about the target to what says least. */
const ranks: readonly Seen['is'][] = [
  ...(['not-served', 'no-answer', 'no-json', 'refusal', 'setting', 'other-refusal', 'accepted'] as const),
  ...(['other-success', 'header', 'field', 'events', 'attribute', 'otherwise', 'not-reached'] as const),
];

function rankOf([first]: readonly Sighting[]): number {
  return first ? ranks.indexOf(first.seen.is) : ranks.length;
}

/** A cause in one sentence, without what differs between runs, except for the daemon's own words. */
export function sentenceOf(sightings: readonly Sighting[], chief: Sighting): string {
  const { seen } = chief;
  const alike = sightings.filter((one) => one.seen.is === seen.is);
  switch (seen.is) {
    case 'not-served':
      return `does not serve ${seen.endpoint}: ${seen.said}`;
    case 'no-answer':
      if (seen.failure === noAnswerInTime) return `${seen.endpoint || 'the target'} does not answer in time`;
      return `${seen.endpoint} gives no complete answer: ${seen.failure}`;
    case 'no-json':
      return `${seen.endpoint} answers with a body that is not JSON`;
    case 'refusal': {
      const own = chief.result.endpoint;
      const after = own !== undefined && own !== seen.endpoint && seen.status === 404 ? `after ${own}, ` : '';
      return `${after}${seen.endpoint} answers ${seen.status}${seen.message ? `: ${seen.message}` : ''}`;
    }
    case 'other-refusal':
    case 'other-success': {
      const endpoints = new Set(alike.map((one) => one.seen).flatMap(endpointIn));
      const statuses = new Set(alike.flatMap((one) => ('status' in one.seen ? one.seen.status : [])));
      const wanted = new Set(alike.flatMap((one) => ('wanted' in one.seen ? one.seen.wanted.split(' or ') : [])));
      const instead = `${inTurn(statuses)} instead of ${inTurn(wanted)}`;
      if (endpoints.size > 1) return `answers ${instead} with ${listed([...endpoints])}`;
      return `${seen.endpoint} answers ${instead}`;
    }
    case 'accepted':
      return `${seen.endpoint} answers ${seen.status} where the contract says: ${statementOf(chief)}`;
    case 'header': {
      const what = seen.came === undefined ? `no ${seen.name}` : `${seen.name}: ${seen.came}`;
      return `sends ${what} with ${listed(alike.map((one) => one.seen).flatMap(endpointIn))}`;
    }
    case 'setting': {
      const fields = fieldsIn(
        alike.filter((one) => 'endpoint' in one.seen && one.seen.endpoint === seen.endpoint),
        chief,
      );
      return `${seen.endpoint} accepts ${listed(fields)} but does not keep ${fields.length > 1 ? 'them' : 'it'}`;
    }
    case 'field': {
      const endpoints = new Set(alike.map((one) => one.seen).flatMap(endpointIn));
      const where = listed([...endpoints]);
      const s = endpoints.size > 1 ? '' : 's';
      const fields = listed(fieldsIn(alike, chief));
      if (seen.manner === 'missing') return `${where} lack${s} ${fields}`;
      if (seen.manner === 'null') return `${where} give${s} null for ${fields}`;
      const came = steadyText(chief.result.actual || chief.result.reason);
      return `${where} deviate${s} in ${fields}${wouldBeCutInJson(came) ? '' : `: ${cut(came)}`}`;
    }
    case 'events': {
      const names = alike.flatMap((one) => (one.seen.is === 'events' ? one.seen.name : []));
      return `${seen.endpoint} does not report ${listed(names)} for ${seen.of}s`;
    }
    case 'attribute':
      return attributes(alike, chief, seen.endpoint);
    case 'otherwise':
      return otherwise(chief, seen.endpoint);
    case 'not-reached':
      return seen.reason;
  }
}

/** A cause described by its rule, where what was seen does not distinguish it from others. */
export function sentenceByRule(chief: Sighting, endpoint = chief.result.endpoint ?? ''): string {
  return `${endpoint === '' ? '' : `${endpoint} `}${byRule}${statementOf(chief)}`;
}

const byRule = 'breaks the rule: ';

/** A sentence as people read it: where it only names the rule, with what came. */
export function withWhatCame(sentence: string, { result: { verdict, expected, actual } }: Sighting): string {
  if (verdict === 'blocked' || actual === '' || !sentence.includes(byRule)) return sentence;
  const came = steadyText(actual);
  // Nobody reads base64, and what differs between runs is left out.
  if (came === '…' || /\S{60}/.test(came)) return sentence;
  const { matter } = matterAndWanted(expected);
  const what = `${matter && `${steadyText(matter)}: `}${came}`;
  return wouldBeCutInJson(what) ? sentence : `${sentence} (${cut(what)})`;
}

/** `the log of stdout` and `"logged\n"` of an expectation that names what it is about. */
function matterAndWanted(expected: string): { readonly matter: string; readonly wanted: string } {
  const [, matter = '', wanted = expected] = /^([^:]+): (.*)$/s.exec(expected) ?? [];
  return { matter, wanted };
}

function attributes(alike: readonly Sighting[], chief: Sighting, endpoint: string): string {
  const seen = alike.flatMap((one) => (one.seen.is === 'attribute' ? one.seen : []));
  const names = new Set(seen.map(({ name }) => name));
  const [first] = seen;
  if (!first) return otherwise(chief, endpoint);
  if (names.has('labels')) return `${endpoint} does not report the labels of ${listed(seen.map(({ of }) => `${of}s`))}`;
  if (names.size < 2) return otherwise(chief, endpoint);
  return `${endpoint} does not report ${listed([...names])} of ${first.of} as the contract says`;
}

/** `404 or 409`, lowest first. */
function inTurn(statuses: ReadonlySet<string | number>): string {
  return [...statuses].map(String).toSorted().join(' or ');
}

/** `h of the terminal after a restart: 0, not 33`; the rule where the values mean nothing without names. */
function otherwise(chief: Sighting, endpoint: string): string {
  const { result } = chief;
  const where = endpoint === '' ? '' : `${endpoint}: `;
  if (result.verdict === 'blocked' || result.actual === '') return `${where}${cut(steadyText(result.reason))}`;
  const { matter, wanted } = matterAndWanted(result.expected);
  const values = [steadyText(result.actual), steadyText(wanted)];
  if (values.some(tellsNothing)) return sentenceByRule(chief, endpoint);
  return `${where}${matter && `${matter}: `}${values.join(', not ')}`;
}

/** For lists and process output, nobody sees at a glance what is wrong. */
function tellsNothing(value: string): boolean {
  return /^\[".*",|…|\\n/.test(value) || value.length > told;
}

function statementOf({ rule, result }: Sighting): string {
  return rule?.says ?? cut(result.expected);
}

function endpointIn(seen: Seen): string[] {
  return 'endpoint' in seen && seen.endpoint !== '' ? [seen.endpoint] : [];
}

/** The fields of the sightings, without those inside others. */
function fieldsIn(alike: readonly Sighting[], chief: Sighting): string[] {
  const manner = 'manner' in chief.seen ? chief.seen.manner : undefined;
  const same = alike.filter(({ seen }) => seen.is !== 'field' || seen.manner === manner);
  const fields = new Set(same.flatMap(({ seen }) => ('field' in seen ? seen.field : [])));
  return [...fields].filter((field) => ![...fields].some((other) => isInside(field, other)));
}

function isInside(field: string, other: string): boolean {
  return field !== other && field.startsWith(other) && /^[.[{]/.test(field.slice(other.length));
}

function listed(names: readonly string[]): string {
  const different = [...new Set(names)];
  const shown = different.slice(0, named);
  const rest = different.length - shown.length;
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** Half of a list or an object says nothing; the report has the whole of it. */
function wouldBeCutInJson(text: string): boolean {
  return text.length > told && /(?:^|: )[[{]/.test(text.slice(0, told));
}

/** Cut off between two words, where they are not much longer than usual. */
function cut(text: string): string {
  if (text.length <= told) return text;
  const space = text.lastIndexOf(' ', told);
  return `${text.slice(0, space > told / 2 ? space : told)}…`;
}
