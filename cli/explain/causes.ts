import { isFieldRule } from '../../specs/catalogue.ts';
import type { Kind, Rule } from '../../specs/rule.ts';
import { resolve } from '../../specs/schema.ts';

/**
 * What often lies behind a deviation of this kind, most likely first: general experience with such interfaces, no
 * finding about any engine.
 */
export function causesOf(rule: Rule): readonly string[] {
  if (rule.endpoint?.server === 'authorization') return ofTokens(rule);
  if (!isFieldRule(rule)) return byKind[rule.kind];
  if (rule.id.includes('.body.')) return ofBodyField;
  const { type } = resolve(rule.field.schema);
  const ofType = [type ?? []].flat().flatMap((one) => byType[one] ?? []);
  return [...ofType, ...byKind.field];
}

const ofBodyField = [
  'the field is read under another name, or into a structure that has no place for it',
  'it is read, but not copied to the configuration that is kept and told by inspect',
  'it is kept, but not handed on to what runs the container',
];

/** A token server reads a form and signs a token; it has nothing to do with containers. */
function ofTokens(rule: Rule): readonly string[] {
  if (rule.kind === 'observe' || rule.kind === 'property') return byKind[rule.kind];
  if (isFieldRule(rule) && !rule.id.includes('.body.')) {
    return [
      'the serializer leaves out empty values (in Go the tag omitempty)',
      'the answer is that of the older GET, which has only the token',
    ];
  }
  if (rule.kind === 'limit') return ['the token is kept and given again, when some of its time is over'];
  if (rule.kind === 'header') return byKind.header;
  return [
    'the parameter is not read at all: the endpoint is that of the older GET, which takes POST too',
    ...byKind.token,
  ];
}

const byType: Readonly<Record<string, readonly string[]>> = {
  array: ['an empty list is kept as nothing at all, and written as null or left out'],
  object: ['an empty map is kept as nothing at all, and written as null or left out'],
  integer: ['a number is written as a string, or with a fraction'],
  string: ['an unset text is written as null, or a time in another format'],
  boolean: ['false counts as empty to the serializer, which leaves it out (in Go the tag omitempty)'],
};

const byKind: Readonly<Record<Kind, readonly string[]>> = {
  field: [
    'the serializer leaves out empty values (in Go the tag omitempty)',
    'the name is written otherwise, often only with another case',
    'the answer has the shape of another API version than the one in the path',
  ],
  status: [
    'a general error handler turns the cause into 500, as the kind of error is lost on the way',
    'the state is not looked at before the operation, which then succeeds or fails by itself',
    'a success is answered with the 200 of the framework in place of 201 or 204',
  ],
  parameter: [
    'the parameter is not read at all, so that its default holds',
    'only some spellings of a flag count: 1, True and true are the same',
    'it is read under another name, or only in another API version',
  ],
  header: [
    'the framework sets a header of its own after the handler has set this one',
    'the header is set after the head was sent',
    'a media type is guessed from the body',
  ],
  stream: [
    'output is buffered until the process ends, or is cut where the writes were not',
    'the frame headers are left out, or are kept with a terminal, which has none',
    'the half-close of a client is taken for its end',
  ],
  state: [
    'the operation returns before it has taken effect, or what is told of the state comes from a cache',
    'the operation works by itself, but not from the state in question, such as paused or never started',
  ],
  event: [
    'the event is published on one path only, such as the explicit stop, and not when the process ends by itself',
    'it is published before the change can be seen, or twice, by two layers',
    'it has the shape of another API version',
  ],
  limit: [
    'the bound is checked only on one of two ways in, such as create but not update or rename',
    'the bound is not checked at all, or one too early or too late',
  ],
  version: [
    'one answer is made for all versions, so that fields come too early or stay too long',
    'the version in the path is not compared with what the daemon serves',
  ],
  token: [
    'the answer has what RFC 6749 needs, but not what this endpoint states beyond it',
    'the form is read from the query, or parameters given as JSON',
  ],
  auth: [
    'the header is decoded with one base64 alphabet only, or without its padding',
    'the credentials of one registry are looked up under another spelling of its name',
  ],
  format: [
    'the text is made for people, by another template or in another locale',
    'a list of forms is known, of which one is missing',
  ],
  observe: ['nothing can be wrong here: the documents leave the matter open, so that it is recorded and not judged'],
  property: ['see the rules that it decides; a failure names the one that was not kept, and a smallest input'],
};
