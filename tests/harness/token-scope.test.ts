import { describe, expect, test } from 'vitest';
import { isWithin, parseScope, permitsSomething } from '../../harness/token/scope.ts';

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
  ])("'%s' is within '%s': %s", (granted, asked, is) => {
    expect(isWithin(granted, asked)).toBe(is);
  });

  test('permits something when it has an action', () => {
    expect(['repository:a:pull', 'repository:a:', ''].map(permitsSomething)).toEqual([true, false, false]);
  });
});
