import { check, checkRule } from '../../harness/check.ts';
import type { Fault } from '../../harness/faults/fault.ts';
import { dropsField, setsField } from '../../harness/faults/fields.ts';
import { ignoresFormField, keepsFormField, onForms, readsFormField, refusesForms } from '../../harness/faults/forms.ts';
import type { Form } from '../../harness/token/form.ts';
import type { TokenClient } from '../../harness/token/token-client.ts';
import { currentJudgement } from '../../harness/verdict/judgement.ts';
import type { RuleId } from '../../specs/catalogue.ts';
import { fieldRule } from '../support/field-checks.ts';
import { isOffline, isRefresh, unknownText } from './support/forms.ts';
import {
  ask,
  askWithPassword,
  askWithRefreshToken,
  controlled,
  expectNoToken,
  expectThat,
  expectToken,
  type Grant,
  granted,
  grantIn,
  hasRefreshTokens,
  refreshTokenOf,
} from './support/grants.ts';

check('token.form-body', { faults: [refusesForms('every form', () => true)] }, async ({ tokens }) => {
  expectToken(await ask(tokens));
});

check(
  'token.grant-password',
  { faults: [dropsField('refresh_token'), refusesForms('offline access', isOffline)] },
  async ({ tokens }) => {
    expectRefreshToken(expectToken(await askWithPassword(tokens, { access_type: 'offline' })));
  },
);

check(
  'token.grant-refresh',
  {
    faults: [
      refusesForms('refresh tokens', isRefresh),
      onForms('refresh tokens', isRefresh, dropsField('access_token')),
    ],
  },
  async ({ tokens }) => {
    expectToken(await askWithRefreshToken(tokens, await refreshTokenOf(tokens)));
  },
);

check('token.offline-refresh-token', { faults: [ignoresFormField('access_type')] }, async ({ tokens }) => {
  await granted(ask(tokens));
  expectRefreshToken(expectToken(await ask(tokens, { access_type: 'offline' })));
});

function expectRefreshToken({ refreshToken, exchange }: Grant): void {
  expectThat('the answer has a refresh_token', refreshToken !== undefined, exchange);
}

const givesRefreshToken = setsField('refresh_token', 'one-that-nobody-asked-for');

/** By either grant, as far as the server accepts them. */
async function expectNoRefreshToken(tokens: TokenClient, changes: Form): Promise<void> {
  const { access } = tokens.server;
  if (access?.grant !== 'refresh_token') expectNone(await granted(ask(tokens, changes)), 'password');
  if (!hasRefreshTokens(tokens)) return;
  const refreshToken = await refreshTokenOf(tokens);
  expectNone(await granted(askWithRefreshToken(tokens, refreshToken, changes)), 'refresh_token');
}

function expectNone({ refreshToken, exchange }: Grant, grant: string): void {
  expectThat(`the answer to grant_type=${grant} has no refresh_token`, refreshToken === undefined, exchange);
}

const onlineFaults = [givesRefreshToken, onForms('refresh tokens', isRefresh, givesRefreshToken)];

check('token.online-default', { faults: onlineFaults }, async ({ tokens }) => {
  await expectNoRefreshToken(tokens, {});
});

check('token.online-no-refresh-token', { faults: onlineFaults }, async ({ tokens }) => {
  await expectNoRefreshToken(tokens, { access_type: 'online' });
});

check(
  'token.same-refresh-token',
  {
    faults: [
      onForms('refresh tokens', isRefresh, setsField('refresh_token', 'a-new-one')),
      onForms('refresh tokens', isRefresh, dropsField('refresh_token')),
    ],
  },
  async ({ tokens }) => {
    const refreshToken = await refreshTokenOf(tokens);
    const again = await granted(askWithRefreshToken(tokens, refreshToken, { access_type: 'offline' }));
    expectThat('the refresh_token is the same', again.refreshToken === refreshToken, again.exchange);
  },
);

for (const [id, name] of [
  ['token.grant-missing-refused', 'grant_type'],
  ['token.service-missing-refused', 'service'],
  ['token.client-missing-refused', 'client_id'],
] as const) {
  const ofRefresh = onForms('refresh tokens', isRefresh, keepsFormField(name));
  const faults = [keepsFormField(name), ...(name === 'grant_type' ? [] : [ofRefresh])];
  check(id, { faults }, async ({ tokens }) => {
    await controlled(ask(tokens));
    expectNoToken(await ask(tokens, { [name]: undefined }));
    if (name === 'grant_type' || tokens.server.access?.grant !== 'password' || !hasRefreshTokens(tokens)) return;
    const refreshToken = await refreshTokenOf(tokens);
    // Whether a refresh token is taken at all, another rule judges.
    if (!grantIn(await askWithRefreshToken(tokens, refreshToken))) return;
    expectNoToken(await askWithRefreshToken(tokens, refreshToken, { [name]: undefined }));
  });
}

const takesAnyGrant = readsFormField(
  'takes an unknown grant_type for the one that fits',
  'grant_type',
  (grant, form) =>
    grant.startsWith('ec-unknown-') ? (form.has('refresh_token') ? 'refresh_token' : 'password') : grant,
);

check('token.grant-unknown-refused', { faults: [takesAnyGrant] }, async ({ tokens }) => {
  await controlled(ask(tokens));
  expectNoToken(await ask(tokens, { grant_type: unknownText() }));
});

check('token.bad-password-refused', { faults: [keepsFormField('password')] }, async ({ tokens }) => {
  await controlled(askWithPassword(tokens));
  expectNoToken(await askWithPassword(tokens, { password: unknownText() }));
});

check('token.bad-username-refused', { faults: [keepsFormField('username')] }, async ({ tokens }) => {
  await controlled(askWithPassword(tokens));
  expectNoToken(await askWithPassword(tokens, { username: unknownText() }));
});

check('token.bad-refresh-token-refused', { faults: [keepsFormField('refresh_token')] }, async ({ tokens }) => {
  await controlled(askWithRefreshToken(tokens, await refreshTokenOf(tokens)));
  expectNoToken(await askWithRefreshToken(tokens, unknownText()));
});

check('token.service-bound', { faults: [keepsFormField('service')] }, async ({ tokens }) => {
  const refreshToken = await refreshTokenOf(tokens);
  await controlled(askWithRefreshToken(tokens, refreshToken));
  const other = `other.${tokens.server.service}`;
  expectNoToken(await askWithRefreshToken(tokens, refreshToken, { service: other }));
  // Where the user's password does not work for it either, the service may be refused rather than the token.
  const { access } = tokens.server;
  const own = access?.grant === 'password' ? await askWithPassword(tokens, { service: other }) : undefined;
  if (own && !grantIn(own)) currentJudgement().notes.push('the other service is none that the server knows');
});

const isUsual = (form: URLSearchParams) => form.get('client_id') === 'engine-conformance';

check(
  'token.client-not-registered',
  { faults: [refusesForms('clients that it does not know', (form) => !isUsual(form))] },
  async ({ tokens }) => {
    await granted(ask(tokens));
    expectToken(await ask(tokens, { client_id: unknownText() }));
  },
);

const printableAscii = Array.from({ length: 0x7f - 0x20 }, (_, place) => String.fromCharCode(0x20 + place)).join('');

check(
  'token.client-syntax',
  {
    faults: [refusesForms('clients with special characters', (form) => !/^[\w.-]+$/.test(form.get('client_id') ?? ''))],
  },
  async ({ tokens }) => {
    await granted(ask(tokens));
    // With a letter at both ends: whether spaces there are trimmed is not judged.
    expectToken(await ask(tokens, { client_id: `a${printableAscii}z` }));
  },
);

/** The rule for a parameter without which there is no token. */
function checkParameter(id: RuleId, faults: readonly Fault[], judge: (tokens: TokenClient) => Promise<void>): void {
  checkRule(fieldRule(id), { faults }, ({ tokens }) => judge(tokens));
}

for (const name of ['grant_type', 'service', 'client_id'] as const) {
  checkParameter(`token.body.${name}`, [ignoresFormField(name)], async (tokens) => {
    expectToken(await ask(tokens));
  });
}

// This cannot be tested on a server that refuses the password grant, which is a deviation of its own.
for (const name of ['username', 'password'] as const) {
  checkParameter(`token.body.${name}`, [ignoresFormField(name)], async (tokens) => {
    if (tokens.server.access?.grant !== 'password') await granted(askWithPassword(tokens));
    expectToken(await askWithPassword(tokens));
  });
}

checkParameter('token.body.refresh_token', [ignoresFormField('refresh_token')], async (tokens) => {
  expectToken(await askWithRefreshToken(tokens, await refreshTokenOf(tokens)));
});

checkParameter('token.body.access_type', [ignoresFormField('access_type')], async (tokens) => {
  for (const access_type of ['online', 'offline']) {
    const grant = expectToken(await ask(tokens, { access_type }));
    if (access_type === 'offline') expectRefreshToken(grant);
  }
});
