import { describe, expect, test } from 'vitest';
import {
  isWithin,
  parseScope,
  permissionsIn,
  permitsSomething,
  scopeForm,
  shownScope,
} from '../../harness/token/scope.ts';

describe('a scope', () => {
  test.each([
    ['repository:app:pull', { type: 'repository', name: 'app', actions: ['pull'] }],
    ['repository:host:5000/a/b:pull,push', { type: 'repository', name: 'host:5000/a/b', actions: ['pull', 'push'] }],
    ['registry:catalog:*', { type: 'registry', name: 'catalog', actions: ['*'] }],
    ['repository:app:', { type: 'repository', name: 'app', actions: [] }],
    ['repository:app', undefined],
    ['repository::pull', undefined],
    ['pull', undefined],
    ['repository:a b:pull', undefined],
    ['repository:a:pull,repository:b:pull', undefined],
  ])('%s', (text, scope) => {
    expect(parseScope(text)).toEqual(scope);
  });

  test.each([
    ['repository:a:pull', 'repository:a:pull,push', true],
    ['repository:a:push,pull', 'repository:a:pull,push', true],
    ['repository:a:pull repository:a:push', 'repository:a:pull,push', true],
    ['', 'repository:a:pull', true],
    ['repository:a:', 'repository:a:pull', true],
    ['', '', true],
    ['repository:a:pull', 'repository:a:*', true],
    ['repository:b:pull', 'repository:a:pull', false],
    ['registry:a:pull', 'repository:a:pull', false],
    ['repository:a:pull,push', 'repository:a:pull', false],
    ['repository:a:*', 'repository:a:pull', false],
    ['repository:a:pull', '', false],
    ['all', 'all', false],
    ['repository:a/b:push,repository:a/b:pull', 'repository:a/b:pull,push', true],
    ['repository:a:pull,repository:b:pull', 'repository:a:pull repository:b:pull', true],
    ['repository:a:pull,repository:b:push', 'repository:a:pull repository:b:pull', false],
    ['repository:host:5000/a:push,pull;repository:b:pull', 'repository:host:5000/a:pull,push repository:b:pull', true],
    ['repository:a:pull all', 'repository:a:pull', false],
    ['repository:a:pull repository', 'repository:a:pull', false],
  ])("'%s' is within '%s': %s", (granted, asked, is) => {
    expect(isWithin(granted, asked)).toBe(is);
  });

  test('is the same set however it is written', () => {
    const lists = ['repository:a:pull,push repository:b:pull', 'repository:b:pull,repository:a:push,repository:a:pull'];
    expect(lists.map(permissionsIn)).toEqual(
      lists.map(() => ['repository:a:pull', 'repository:a:push', 'repository:b:pull']),
    );
    expect(new Set(lists.map(shownScope)).size).toBe(1);
    expect([shownScope(''), shownScope('all')]).toEqual(['nothing', "'all', which is not a list of scopes"]);
  });

  test.each([
    [
      'repository:a:pull,push repository:b:pull',
      "one scope for each resource, a space between scopes, ',' between actions",
    ],
    ['repository:a:push,repository:b:pull,repository:a:pull', "one scope for each action, ',' between scopes"],
    ['repository:a:pull', 'one scope for each resource'],
  ])("'%s' has the form: %s", (list, form) => {
    expect(scopeForm(list)).toBe(form);
  });

  test('permits something when it has an action', () => {
    expect(['repository:a:pull', 'repository:a:', ''].map(permitsSomething)).toEqual([true, false, false]);
  });
});
