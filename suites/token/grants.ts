import { randomBytes } from 'node:crypto';
import { check, checkRule } from '../../harness/check.ts';
import type { Fault } from '../../harness/faults/fault.ts';
import { dropsField, setsField } from '../../harness/faults/fields.ts';
import { ignoresFormField, keepsFormField, onForms, refusesForms } from '../../harness/faults/forms.ts';
import type { TokenClient } from '../../harness/token/token-client.ts';
import type { RuleId } from '../../specs/catalogue.ts';
import { fieldRule } from '../field-checks.ts';
import {
  controlled,
  expectNoToken,
  expectThat,
  expectToken,
  type Grant,
  granted,
  offline,
  passwordForm,
  refreshForm,
} from './ask.ts';

const isRefresh = (form: URLSearchParams) => form.get('grant_type') === 'refresh_token';
const isOffline = (form: URLSearchParams) => form.get('access_type') === 'offline';

check('token.form-body', { faults: [refusesForms('every form', () => true)] }, async ({ tokens }) => {
  expectToken(await tokens.post(passwordForm(tokens)));
});

check(
  'token.grant-password',
  { faults: [dropsField('refresh_token'), refusesForms('offline access', isOffline)] },
  async ({ tokens }) => {
    expectRefreshToken(expectToken(await tokens.post(passwordForm(tokens, { access_type: 'offline' }))));
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
    const { refreshToken } = await offline(tokens);
    expectToken(await tokens.post(refreshForm(tokens, refreshToken)));
  },
);

check('token.offline-refresh-token', { faults: [ignoresFormField('access_type')] }, async ({ tokens }) => {
  await granted(tokens.post(passwordForm(tokens)));
  expectRefreshToken(expectToken(await tokens.post(passwordForm(tokens, { access_type: 'offline' }))));
});

function expectRefreshToken({ refreshToken, exchange }: Grant): void {
  expectThat('the answer has a refresh_token', refreshToken !== undefined, exchange);
}

function expectNoRefreshToken({ refreshToken, exchange }: Grant): void {
  expectThat('the answer has no refresh_token', refreshToken === undefined, exchange);
}

const givesRefreshToken = setsField('refresh_token', 'one-that-nobody-asked-for');

check('token.online-default', { faults: [givesRefreshToken] }, async ({ tokens }) => {
  expectNoRefreshToken(await granted(tokens.post(passwordForm(tokens))));
});

check('token.online-no-refresh-token', { faults: [givesRefreshToken] }, async ({ tokens }) => {
  expectNoRefreshToken(await granted(tokens.post(passwordForm(tokens, { access_type: 'online' }))));
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
    const { refreshToken, exchange: first } = await offline(tokens);
    const again = await granted(tokens.post(refreshForm(tokens, refreshToken, { access_type: 'offline' })));
    expectThat('the refresh_token is the same', again.refreshToken === refreshToken, first, again.exchange);
  },
);

for (const [id, name] of [
  ['token.grant-missing-refused', 'grant_type'],
  ['token.service-missing-refused', 'service'],
  ['token.client-missing-refused', 'client_id'],
] as const) {
  check(id, { faults: [keepsFormField(name)] }, async ({ tokens }) => {
    await controlled(tokens.post(passwordForm(tokens)));
    expectNoToken(await tokens.post(passwordForm(tokens, { [name]: undefined })));
  });
}

check('token.bad-password-refused', { faults: [keepsFormField('password')] }, async ({ tokens }) => {
  await controlled(tokens.post(passwordForm(tokens)));
  expectNoToken(await tokens.post(passwordForm(tokens, { password: unknownText() })));
});

check('token.bad-refresh-token-refused', { faults: [keepsFormField('refresh_token')] }, async ({ tokens }) => {
  const { refreshToken } = await offline(tokens);
  await controlled(tokens.post(refreshForm(tokens, refreshToken)));
  expectNoToken(await tokens.post(refreshForm(tokens, unknownText())));
});

check('token.service-bound', { faults: [keepsFormField('service')] }, async ({ tokens }) => {
  const { refreshToken } = await offline(tokens);
  await controlled(tokens.post(refreshForm(tokens, refreshToken)));
  const other = `other.${tokens.server.service}`;
  expectNoToken(await tokens.post(refreshForm(tokens, refreshToken, { service: other })));
});

function unknownText(): string {
  return `ec-unknown-${randomBytes(16).toString('hex')}`;
}

const isUsual = (form: URLSearchParams) => form.get('client_id') === 'engine-conformance';

check(
  'token.client-not-registered',
  { faults: [refusesForms('clients that it does not know', (form) => !isUsual(form))] },
  async ({ tokens }) => {
    await granted(tokens.post(passwordForm(tokens)));
    expectToken(await tokens.post(passwordForm(tokens, { client_id: unknownText() })));
  },
);

const printableAscii = Array.from({ length: 0x7f - 0x20 }, (_, place) => String.fromCharCode(0x20 + place)).join('');

check(
  'token.client-syntax',
  {
    faults: [refusesForms('clients with special characters', (form) => !/^[\w.-]+$/.test(form.get('client_id') ?? ''))],
  },
  async ({ tokens }) => {
    await granted(tokens.post(passwordForm(tokens)));
    // With a letter at both ends: whether spaces there are cut off is not judged.
    expectToken(await tokens.post(passwordForm(tokens, { client_id: `a${printableAscii}z` })));
  },
);

/** The rule of a parameter without which there is no token. */
function checkParameter(id: RuleId, faults: readonly Fault[], ask: (tokens: TokenClient) => Promise<void>): void {
  checkRule(fieldRule(id), { faults }, ({ tokens }) => ask(tokens));
}

for (const name of ['grant_type', 'service', 'client_id', 'username', 'password'] as const) {
  checkParameter(`token.body.${name}`, [ignoresFormField(name)], async (tokens) => {
    expectToken(await tokens.post(passwordForm(tokens)));
  });
}

checkParameter('token.body.refresh_token', [ignoresFormField('refresh_token')], async (tokens) => {
  const { refreshToken } = await offline(tokens);
  expectToken(await tokens.post(refreshForm(tokens, refreshToken)));
});

checkParameter('token.body.access_type', [ignoresFormField('access_type')], async (tokens) => {
  for (const access_type of ['online', 'offline']) {
    const grant = expectToken(await tokens.post(passwordForm(tokens, { access_type })));
    if (access_type === 'offline') expectRefreshToken(grant);
  }
});
