/** What one scope permits on a resource: `repository:name:pull,push` (Document 1, Registry token endpoint). */
export interface ResourceScope {
  readonly type: string;
  readonly name: string;
  readonly actions: readonly string[];
}

/** Reads one scope; undefined when the text has another form. A name may contain colons, as in a host and port. */
export function parseScope(text: string): ResourceScope | undefined {
  const [, type, name, actions] = /^([^:\s,]+):([^\s,]+):([^:\s]*)$/.exec(text) ?? [];
  if (type === undefined || name === undefined || actions === undefined) return undefined;
  return { type, name, actions: actions.split(',').filter(Boolean) };
}

/** The scopes in a list separated by spaces, as it is sent. */
export function scopesIn(list: string): readonly string[] {
  return list.split(/\s+/).filter(Boolean);
}

/**
 * Reads the list in an answer: what it permits, one scope for each action, in a fixed order. No document says what
 * separates scopes, whether the actions of a resource are combined, or in which order they come, and servers differ.
 * Undefined when a part is not a scope.
 */
export function permissionsIn(list: string): readonly string[] | undefined {
  const found = new Set<string>();
  let resource: string | undefined;
  for (const part of list.split(separators).filter(Boolean)) {
    // A part without a colon is one more action of the preceding resource.
    const [, named, action = part] = /^([^:]+:.+):([^:]*)$/.exec(part) ?? [];
    resource = named ?? (part.includes(':') ? undefined : resource);
    if (resource === undefined) return undefined;
    if (action !== '') found.add(`${resource}:${action}`);
  }
  return [...found].toSorted();
}

const separators = /[\s,;]+/;

/** Whether a list of scopes permits no more than another. Lists are compared by what they permit, not by their text. */
export function isWithin(granted: string, asked: string): boolean {
  const permitted = permissionsIn(granted);
  const wanted = new Set(permissionsIn(asked));
  return permitted?.every((one) => wanted.has(one) || wanted.has(one.replace(/[^:]*$/, '*'))) ?? false;
}

/** Whether a list of scopes permits anything. */
export function permitsSomething(list: string): boolean {
  return (permissionsIn(list)?.length ?? 0) > 0;
}

/** What a list permits, in words that are the same however the list is formatted. */
export function shownScope(list: string): string {
  const permitted = permissionsIn(list);
  if (!permitted) return `'${list}', which is not a list of scopes`;
  return permitted.length === 0 ? 'nothing' : permitted.join(' ');
}

/** The format of a list, apart from its order: what separates scopes, and whether actions are combined. */
export function scopeForm(list: string): string {
  const parts = [...list.matchAll(/[^\s,;]+|[\s,;]+/g)].map(([part]) => part);
  const begins = (at: number) => parts[at]?.includes(':') === true;
  const between = parts.filter((part, at) => separators.test(part) && at > 0 && begins(at + 1));
  const inner = parts.filter((part, at) => separators.test(part) && parts[at + 1] !== undefined && !begins(at + 1));
  const resources = parts.filter((_, at) => begins(at)).map((part) => part.replace(/:[^:]*$/, ''));
  const together = new Set(resources).size === resources.length;
  return [
    together ? 'one scope for each resource' : 'one scope for each action',
    ...(between.length > 0 ? [`${namesOf(between)} between scopes`] : []),
    ...(inner.length > 0 ? [`${namesOf(inner)} between actions`] : []),
  ].join(', ');
}

function namesOf(texts: readonly string[]): string {
  return [...new Set(texts)]
    .toSorted()
    .map((text) => (text === ' ' ? 'a space' : `'${text}'`))
    .join(' or ');
}
