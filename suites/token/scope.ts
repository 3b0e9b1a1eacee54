import { check, checkRule } from '../../harness/check.ts';
import { expectValue } from '../../harness/expect/expect.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { ignoresFormField, keepsFormField, readsFormField, refusesForms } from '../../harness/faults/forms.ts';
import { isWithin, parseScope, permitsSomething } from '../../harness/token/scope.ts';
import type { TokenClient } from '../../harness/token/token-client.ts';
import { Blocked, NotApplicable } from '../../harness/verdict/outcomes.ts';
import { fieldRule } from '../field-checks.ts';
import { expectThat, expectToken, type Grant, granted, offline, passwordForm, refreshForm } from './ask.ts';

const sample = { name: 'engine-conformance/sample', actions: ['pull', 'push'] };

/** Two repositories to ask for, those of the user where they were told. */
function repositories({ server }: TokenClient): readonly [typeof sample, typeof sample] {
  const told = server.scopes.flatMap((one) => parseScope(one) ?? []).filter(({ type }) => type === 'repository');
  const [first, second] = [...told, sample, { name: 'engine-conformance/other', actions: ['pull'] }].map(
    ({ name, actions }) => ({ name, actions: [...actions] }),
  );
  if (!first || !second) throw new Error('there are always two repositories');
  return [first, second];
}

function scopeOf(repository: { readonly name: string }, ...actions: readonly string[]): string {
  return `repository:${repository.name}:${actions.join(',')}`;
}

/** Asks for a scope and judges that a token comes which tells no more than that. */
async function expectScope(tokens: TokenClient, scope: string): Promise<Grant> {
  const grant = expectToken(await tokens.post(passwordForm(tokens, { scope })));
  expectWithin(grant, scope);
  return grant;
}

/** An answer without a scope is judged by the rule of that field. */
function expectWithin({ scope, exchange }: Grant, asked: string): void {
  if (scope === undefined) return;
  expectValue('scope', scope, [exchange]).toSatisfy(`no more than ${asked}`, () => isWithin(scope, asked));
}

const hasScope = (form: URLSearchParams) => form.has('scope');

check(
  'token.scope-repository',
  { faults: [refusesForms('forms with a scope', hasScope), setsField('scope', 'all')] },
  async ({ tokens }) => {
    const [repository] = repositories(tokens);
    await granted(tokens.post(passwordForm(tokens)));
    await expectScope(tokens, scopeOf(repository, 'pull'));
  },
);

check(
  'token.scope-actions',
  {
    faults: [
      refusesForms('several actions', (form) => form.get('scope')?.includes(',') ?? false),
      refusesForms('actions in another order', (form) => form.get('scope')?.includes('push,pull') ?? false),
    ],
  },
  async ({ tokens }) => {
    const [repository] = repositories(tokens);
    await granted(tokens.post(passwordForm(tokens, { scope: scopeOf(repository, 'pull') })));
    await expectScope(tokens, scopeOf(repository, 'pull', 'push'));
    await expectScope(tokens, scopeOf(repository, 'push', 'pull'));
  },
);

check(
  'token.scope-list',
  {
    faults: [
      refusesForms('lists of scopes', (form) => form.get('scope')?.includes(' ') ?? false),
      readsFormField('reads only the first scope of a list', 'scope', (list) => list.split(' ')[0] ?? ''),
    ],
  },
  async ({ tokens }) => {
    const [first, second] = repositories(tokens).map((repository) => scopeOf(repository, 'pull'));
    const alone = await granted(tokens.post(passwordForm(tokens, { scope: first })));
    const other = await granted(tokens.post(passwordForm(tokens, { scope: second })));
    const list = `${first} ${second}`;
    const both = await expectScope(tokens, list);
    // A subset may be granted; that one of the list is left out which is granted alone is reported apart.
    const expected = `what is granted of each alone`;
    const isWhole = [alone, other].every(({ scope }) => isWithin(scope ?? '', both.scope ?? ''));
    const options = { level: 'should' } as const;
    expectValue('scope', both.scope, [both.exchange], options).toSatisfy(expected, () => isWhole);
  },
);

// Left out, and there without anything in it.
check(
  'token.scope-empty',
  { faults: [refusesForms('forms without a scope', (form) => !form.get('scope'))] },
  async ({ tokens }) => {
    const [repository] = repositories(tokens);
    await offline(tokens, { scope: scopeOf(repository, 'pull') });
    for (const scope of [undefined, '']) {
      const form = passwordForm(tokens, { access_type: 'offline', scope });
      const { refreshToken, exchange } = expectToken(await tokens.post(form));
      expectThat('the answer has a refresh_token', refreshToken !== undefined, exchange);
    }
  },
);

check(
  'token.scope-subset',
  { faults: [setsField('scope', 'repository:ec-other/repository:pull'), keepsFormField('scope')] },
  async ({ tokens }) => {
    const [first, second] = repositories(tokens);
    const wide = scopeOf(first, ...first.actions);
    for (const asked of [`${wide} ${scopeOf(second, 'pull')}`, scopeOf(first, 'pull'), scopeOf(second, 'pull')]) {
      const grant = await granted(tokens.post(passwordForm(tokens, { scope: asked })));
      if (grant.scope === undefined) throw new Blocked('the answer has no scope');
      expectWithin(grant, asked);
    }
  },
);

check(
  'token.other-scope',
  { faults: [keepsFormField('scope'), refusesForms('another scope', changesScope())] },
  async ({ tokens }) => {
    const [first, second] = repositories(tokens).map((repository) => scopeOf(repository, 'pull'));
    const { refreshToken } = await offline(tokens, { scope: first });
    for (const scope of [first, second]) {
      const grant = expectToken(await tokens.post(refreshForm(tokens, refreshToken, { scope })));
      expectWithin(grant, scope ?? '');
    }
  },
);

/** Whether a form asks for another scope than the first one did. */
function changesScope(): (form: URLSearchParams) => boolean {
  let first: string | null = null;
  return (form) => {
    first ??= form.get('scope');
    return form.get('scope') !== first;
  };
}

checkRule(fieldRule('token.body.scope'), { faults: [ignoresFormField('scope')] }, async ({ tokens }) => {
  const asked = tokens.server.scopes.join(' ');
  if (asked === '') throw new NotApplicable('the suite was told no scope of the user; name one with --auth-scope');
  const { scope, exchange } = await expectScope(tokens, asked);
  if (scope === undefined) throw new Blocked('the answer has no scope');
  // What the user may do was told, so something of it has to be granted.
  expectValue('scope', scope, [exchange]).toSatisfy(`something of ${asked}`, () => permitsSomething(scope));
});
