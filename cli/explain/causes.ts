import { isFieldRule } from '../../specs/catalogue.ts';
import type { Kind, Rule } from '../../specs/rule.ts';
import { resolve } from '../../specs/schema.ts';

/**
 * Frequent causes of a deviation of this kind, most likely first: general experience with such interfaces, not a
 * finding about any engine.
 */
export function causesOf(rule: Rule): readonly string[] {
  if (rule.endpoint?.server === 'authorization') return ofTokens(rule);
  if (rule.id.endsWith('.empty-body')) return ofEmptyBody;
  if (!isFieldRule(rule)) return byKind[rule.kind];
  if (rule.id.includes('.body.')) return ofBodyField;
  const { type } = resolve(rule.field.schema);
  const ofType = [type ?? []].flat().flatMap((one) => byType[one] ?? []);
  return [...ofType, ...byKind.field];
}

const ofEmptyBody = [
  'the framework writes null, {} or the text of the status where the handler returns nothing',
  'the answer is made by code that other endpoints, whose answers have a body, share',
];

const ofBodyField = [
  'the field is read under another name, or into a structure that has no place for it',
  'it is read, but not copied to the stored configuration that inspect shows',
  'it is stored, but not passed to the runtime that starts the container',
];

/** A token server reads a form and signs a token; it has nothing to do with containers. */
function ofTokens(rule: Rule): readonly string[] {
  if (rule.kind === 'observe' || rule.kind === 'property') return byKind[rule.kind];
  if (isFieldRule(rule) && !rule.id.includes('.body.')) {
    return [
      'the serializer omits empty values (in Go: the omitempty tag)',
      'the answer is that of the older GET endpoint, which contains only the token',
    ];
  }
  if (rule.kind === 'limit') return ['the token is cached and handed out again after part of its lifetime has passed'];
  if (rule.kind === 'header') return byKind.header;
  return ['the parameter is never read: the older GET endpoint also accepts POST', ...byKind.token];
}

const byType: Readonly<Record<string, readonly string[]>> = {
  array: ['an empty list is stored as nil, and written as null or omitted'],
  object: ['an empty map is stored as nil, and written as null or omitted'],
  integer: ['a number is written as a string, or with a fraction'],
  string: ['an unset string is written as null, or a time is written in another format'],
  boolean: ['the serializer treats false as empty and omits it (in Go: the omitempty tag)'],
};

const byKind: Readonly<Record<Kind, readonly string[]>> = {
  field: [
    'the serializer omits empty values (in Go: the omitempty tag)',
    'the name is spelt differently, often only in its case',
    'the answer has the shape of a different API version from the one in the path',
  ],
  status: [
    'a generic error handler answers 500, as the type of the error was lost on the way',
    'the state is not checked before the operation, which then succeeds or fails by chance',
    "a success gets the framework's default 200 instead of 201 or 204",
  ],
  parameter: [
    'the parameter is never read, so its default applies',
    'only some spellings of a flag are accepted: 1, True and true all mean the same',
    'it is read under another name, or only in another API version',
  ],
  header: [
    "the framework overwrites the handler's header with its own",
    'the header is set after the headers were sent',
    'the media type is guessed from the body',
  ],
  stream: [
    'output is buffered until the process exits, or is split at other places than the writes',
    'frame headers are omitted, or are sent with a terminal, where there should be none',
    "a client's half-close is treated as a full close",
  ],
  state: [
    'the operation returns before it has taken effect, or the reported state comes from a cache',
    'the operation works in general, but not from this state, such as paused or never started',
  ],
  event: [
    'the event is published on one path only, such as an explicit stop, but not when the process exits by itself',
    'it is published before the change is visible, or twice, by two layers',
    'it has the shape of a different API version',
  ],
  limit: [
    'the bound is checked on one path only, such as create, but not on update or rename',
    'the bound is not checked at all, or is off by one',
  ],
  version: [
    'all versions get the same answer, so fields appear too early or stay too long',
    'the version in the path is not checked against those that the daemon serves',
  ],
  token: [
    'the answer has what RFC 6749 requires, but not what this endpoint requires beyond it',
    'the form is read from the query, or the parameters are expected as JSON',
  ],
  auth: [
    'the header is decoded with only one base64 alphabet, or padding is not handled',
    "the registry's credentials are looked up under a different spelling of its name",
  ],
  format: [
    'the text is meant for people, and comes from a different template or locale',
    'one of the accepted forms is missing from a list',
  ],
  observe: ['nothing can be wrong here: the documents leave this open, so it is recorded and not judged'],
  property: ['see the rules that it decides; a failure names the rule that was not kept, and the smallest input found'],
};
