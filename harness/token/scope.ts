/** What one scope permits on a resource: `repository:name:pull,push` (Document 1, Registry token endpoint). */
export interface ResourceScope {
  readonly type: string;
  readonly name: string;
  readonly actions: readonly string[];
}

/** Reads one scope; undefined when the text has another form. A name may have colons, as of a host and port. */
export function parseScope(text: string): ResourceScope | undefined {
  const [, type, name, actions] = /^([^:\s]+):(\S+):([^:\s]*)$/.exec(text) ?? [];
  if (type === undefined || name === undefined || actions === undefined) return undefined;
  return { type, name, actions: actions.split(',').filter(Boolean) };
}

/** The scopes of a list. */
export function scopesIn(list: string): readonly string[] {
  return list.split(/\s+/).filter(Boolean);
}

/** Whether a list of scopes permits no more than another. Lists are compared by what they permit, not by their text. */
export function isWithin(granted: string, asked: string): boolean {
  const askedScopes = scopesIn(asked).flatMap((one) => parseScope(one) ?? []);
  return scopesIn(granted).every((one) => {
    const scope = parseScope(one);
    if (!scope) return false;
    const same = askedScopes.filter(({ type, name }) => type === scope.type && name === scope.name);
    const actions = same.flatMap((other) => other.actions);
    return scope.actions.every((action) => actions.includes(action) || actions.includes('*'));
  });
}

/** Whether a list of scopes permits anything. */
export function permitsSomething(list: string): boolean {
  return scopesIn(list).some((one) => (parseScope(one)?.actions.length ?? 0) > 0);
}
