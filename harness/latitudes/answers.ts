import type { JsonValue } from '../streams/json.ts';
import { inDescribedObjects } from './described-objects.ts';
import type { Latitude } from './latitude.ts';

const anyJson = { notShown: 'the documents say that a body is JSON, but not how it is laid out' } as const;
const openObjects = { interpretation: 'open-objects', because: 'nothing forbids further members' } as const;

/** How the JSON of answers is formatted. */
export const ofAnswers: readonly Latitude[] = [
  {
    name: 'indented-json',
    says: 'writes its JSON with line breaks and indentation',
    area: 'answers',
    ground: anyJson,
    against: ['spaced-json'],
    layout: indented,
  },
  {
    name: 'spaced-json',
    says: 'writes spaces after colons and commas',
    area: 'answers',
    ground: anyJson,
    against: ['indented-json'],
    layout: spaced,
  },
  {
    name: 'escaped-json',
    says: 'escapes characters that need not be escaped',
    area: 'answers',
    ground: anyJson,
    layout: escaped,
  },
  {
    name: 'members-reversed',
    says: 'writes the members of its objects in another order',
    area: 'answers',
    ground: { notShown: 'the order of members in JSON means nothing' },
    json: reversed,
  },
  {
    name: 'space-around-json',
    says: 'puts white space before and after its JSON',
    area: 'answers',
    ground: anyJson,
    layout: (json) => ` \n${json}\r\n\t `,
    against: ['objects-without-breaks'],
  },
  {
    name: 'further-members',
    says: 'has further members in every object',
    area: 'answers',
    ground: openObjects,
    json: (value, request) =>
      inDescribedObjects(value, request, (object) => ({
        ...object,
        EcFurther: { Own: true, List: [1, 'two', null] },
        ecText: 'of its own',
      })),
  },
  {
    name: 'further-members-first',
    says: 'puts further members, named like those of other objects, before the others',
    area: 'answers',
    ground: openObjects,
    json: (value, request) =>
      inDescribedObjects(value, request, (object) => ({ EcNetworks: {}, EcState: 'odd', EcId: 0, ...object })),
  },
];

function indented(plain: string): string {
  let depth = 0;
  return outsideStrings(plain, (mark) => {
    if (mark === '{' || mark === '[') return `${mark}\n${'    '.repeat(++depth)}`;
    if (mark === '}' || mark === ']') return `\n${'    '.repeat(--depth)}${mark}`;
    if (mark === ',') return `,\n${'    '.repeat(depth)}`;
    return mark === ':' ? ': ' : mark;
  });
}

function spaced(json: string): string {
  return outsideStrings(json, (mark) => (mark === ':' || mark === ',' ? `${mark} ` : mark));
}

/** `-` and `/` occur in many identifiers, names and media types; letters are escaped occasionally. */
function escaped(json: string): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) =>
    text.replaceAll(/\\.|[-/.:aeE]/g, (mark) => {
      if (mark.startsWith('\\')) return mark;
      return mark === '/' ? '\\/' : `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`;
    }),
  );
}

/** Changes each character of a JSON text outside strings. */
function outsideStrings(json: string, change: (mark: string) => string): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"|[^"]/g, (part) => (part.startsWith('"') ? part : change(part)));
}

function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, reversed(member)] as const);
  return Object.fromEntries(members.toReversed());
}
