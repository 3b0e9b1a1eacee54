import { TokenError } from './token-error.ts';

/** What a scope permits on one resource (Document 1, Registry token endpoint). */
export interface Access {
  readonly type: string;
  readonly name: string;
  readonly actions: readonly string[];
}

/**
 * Reads a scope parameter: a list separated by spaces, each item `type:name:actions` with commas between the actions.
 * @throws TokenError for an item in another form
 */
export function readScope(text: string): Access[] {
  return text.split(' ').filter(Boolean).map(readAccess);
}

function readAccess(item: string): Access {
  // A repository's name may begin with a host and port, so only the outer colons are separators.
  const [, type, name, actions] = /^([^:]+):(.+):([^:]+)$/.exec(item) ?? [];
  if (type === undefined || name === undefined || actions === undefined) {
    throw new TokenError(400, 'invalid_scope', 'a scope has the form type:name:actions');
  }
  return { type, name, actions: actions.split(',').filter(Boolean) };
}

/** The part of the request that the user may have; resources without any action are left out. */
export function grantable(asked: readonly Access[], allowed: readonly Access[]): Access[] {
  return asked.flatMap(({ type, name, actions }) => {
    const mayDo = new Set(
      allowed.filter((one) => one.type === type && one.name === name).flatMap((one) => one.actions),
    );
    const granted = [...new Set(actions)].filter((action) => mayDo.has(action));
    return granted.length > 0 ? [{ type, name, actions: granted }] : [];
  });
}

/** A scope in the form of an answer. */
export function writeScope(granted: readonly Access[]): string {
  return granted.map(({ type, name, actions }) => `${type}:${name}:${actions.join(',')}`).join(' ');
}
