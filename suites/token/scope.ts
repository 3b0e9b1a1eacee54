import { check, checkRule } from '../../harness/check.ts';
import { expectValue, observe } from '../../harness/expect/expect.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { ignoresFormField, keepsFormField, onForms, readsFormField, refusesForms } from '../../harness/faults/forms.ts';
import { isWithin, parseScope, permitsSomething, scopeForm, shownScope } from '../../harness/token/scope.ts';
import type { TokenClient } from '../../harness/token/token-client.ts';
import { Blocked, NotApplicable } from '../../harness/verdict/outcomes.ts';
import type { Level } from '../../specs/statement.ts';
import { fieldRule } from '../support/field-checks.ts';
import { isRefresh } from './support/forms.ts';
import {
  ask,
  askWithRefreshToken,
  expectThat,
  expectToken,
  type Grant,
  granted,
  refreshTokenOf,
} from './support/grants.ts';

const sample = { name: 'engine-conformance/sample', actions: ['pull', 'push'] };

/** Two repositories to request, the user's own where they are known. */
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

/** Requests a scope and judges that a token comes with no more than that. */
async function expectScope(tokens: TokenClient, scope: string): Promise<Grant> {
  const grant = expectToken(await ask(tokens, { scope }));
  expectWithin(grant, scope);
  return grant;
}

/** The rule of the field judges an answer without a scope. */
function expectWithin({ scope, exchange }: Grant, asked: string): void {
  if (scope === undefined) return;
  const expected = `no more than ${shownScope(asked)}`;
  expectValue('scope', shownScope(scope), [exchange]).toSatisfy(expected, () => isWithin(scope, asked));
}

/** A subset may be granted. Leaving out something that is granted when requested alone is reported separately. */
function expectWhole(whole: Grant, parts: readonly Grant[], level: Level = 'should'): void {
  if (whole.scope === undefined && parts.every(({ scope }) => scope === undefined)) return;
  const scope = whole.scope ?? '';
  const isWhole = () => parts.every((part) => isWithin(part.scope ?? '', scope));
  const expected = 'what is granted of each alone';
  expectValue('scope', shownScope(scope), [whole.exchange], { level }).toSatisfy(expected, isWhole);
}

/** The user's permissions are known, so something of them must be granted. */
function expectSomething(tokens: TokenClient, { scope, exchange }: Grant, asked: string): void {
  if (scope === undefined || !isWithin(asked, tokens.server.scopes.join(' '))) return;
  const expected = `something of ${shownScope(asked)}`;
  expectValue('scope', shownScope(scope), [exchange]).toSatisfy(expected, () => permitsSomething(scope));
}

const hasScope = (form: URLSearchParams) => form.has('scope');
const hasNoScope = (form: URLSearchParams) => !form.get('scope');

check(
  'token.scope-repository',
  { faults: [refusesForms('forms with a scope', hasScope), setsField('scope', 'all')] },
  async ({ tokens }) => {
    const [repository] = repositories(tokens);
    await granted(ask(tokens));
    await expectScope(tokens, scopeOf(repository, 'pull'));
  },
);

const hasSeveral = (form: URLSearchParams) => form.get('scope')?.includes(',') ?? false;

check(
  'token.scope-actions',
  {
    faults: [
      refusesForms('several actions', hasSeveral),
      refusesForms('actions in another order', (form) => form.get('scope')?.includes('push,pull') ?? false),
      onForms('several actions', hasSeveral, setsField('scope', '')),
    ],
  },
  async ({ tokens }) => {
    const [repository] = repositories(tokens);
    const alone = await granted(ask(tokens, { scope: scopeOf(repository, 'pull') }));
    expectWhole(await expectScope(tokens, scopeOf(repository, 'pull', 'push')), [alone]);
    expectWhole(await expectScope(tokens, scopeOf(repository, 'push', 'pull')), [alone]);
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
    const alone = await granted(ask(tokens, { scope: first }));
    const other = await granted(ask(tokens, { scope: second }));
    expectWhole(await expectScope(tokens, `${first} ${second}`), [alone, other]);
  },
);

check('token.scope-form', { faults: [] }, async ({ tokens }) => {
  const [first, second] = repositories(tokens);
  const asked = `${scopeOf(first, ...first.actions)} ${scopeOf(second, ...second.actions)}`;
  const { scope, exchange } = await granted(ask(tokens, { scope: asked }));
  if (scope === undefined) return observe('tells no scope', exchange);
  observe(permitsSomething(scope) ? `writes ${scopeForm(scope)}` : 'tells a scope that permits nothing', exchange);
});

// One form without the parameter, and one with an empty value.
check('token.scope-empty', { faults: [refusesForms('forms without a scope', hasNoScope)] }, async ({ tokens }) => {
  const [repository] = repositories(tokens);
  const withScope = { access_type: 'offline', scope: scopeOf(repository, 'pull') };
  const { refreshToken: usual } = await granted(ask(tokens, withScope));
  if (usual === undefined) throw new Blocked('no refresh_token comes with a scope either');
  for (const scope of [undefined, '']) {
    const { refreshToken, exchange } = expectToken(await ask(tokens, { access_type: 'offline', scope }));
    expectThat('the answer has a refresh_token', refreshToken !== undefined, exchange);
  }
});

check(
  'token.scope-subset',
  { faults: [setsField('scope', 'repository:ec-other/repository:pull'), keepsFormField('scope')] },
  async ({ tokens }) => {
    const [first, second] = repositories(tokens);
    const wide = scopeOf(first, ...first.actions);
    for (const asked of [`${wide} ${scopeOf(second, 'pull')}`, scopeOf(first, 'pull'), scopeOf(second, 'pull')]) {
      const grant = await granted(ask(tokens, { scope: asked }));
      if (grant.scope === undefined) throw new Blocked('the answer has no scope');
      expectWithin(grant, asked);
    }
  },
);

check(
  'token.other-scope',
  {
    faults: [
      keepsFormField('scope'),
      refusesForms('another scope', changesScope()),
      onForms('refresh tokens', isRefresh, setsField('scope', '')),
    ],
  },
  async ({ tokens }) => {
    const [first, second] = repositories(tokens).map((repository) => scopeOf(repository, 'pull'));
    const refreshToken = await refreshTokenOf(tokens, { scope: first });
    for (const scope of [first, second]) {
      const grant = expectToken(await askWithRefreshToken(tokens, refreshToken, { scope }));
      expectWithin(grant, scope ?? '');
      expectSomething(tokens, grant, scope ?? '');
    }
  },
);

/** Whether a form requests another scope than the first one did. */
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
  const grant = await expectScope(tokens, asked);
  if (grant.scope === undefined) throw new Blocked('the answer has no scope');
  expectSomething(tokens, grant, asked);
});
