import { check, checkRule, fixture } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expect } from '../../harness/expect/expect.ts';
import { expectField } from '../../harness/expect/field-rule.ts';
import { answersBody, answersStatus } from '../../harness/faults/answers.ts';
import { fieldFaults, retypesField } from '../../harness/faults/fields.ts';
import { ignoresBodyField } from '../../harness/faults/requests.ts';
import type { AccessKind } from '../../harness/registry/access.ts';
import { Registry } from '../../harness/registry/registry.ts';
import { NotApplicable } from '../../harness/verdict/outcomes.ts';
import { atLeast } from '../../specs/versions.ts';
import { fieldRule } from '../field-checks.ts';

/** Tries the credentials of a registry's user, some of them changed. */
async function tryCredentials(engine: Engine, access: AccessKind, change: object = {}): Promise<Exchange> {
  const registry = await Registry.start({ access });
  try {
    const { username, password } = registry.access.user;
    const email = atLeast(engine.api, '1.23') ? {} : { email: 'user@example.com' };
    // Daemons know a registry of their own machine by this name as one without TLS, whatever else they are told.
    const serveraddress = registry.host.replace('127.0.0.1', 'localhost');
    return await engine.post('/auth', { json: { username, password, serveraddress, ...email, ...change } });
  } finally {
    await registry.close();
  }
}

check('system.auth.good-credentials', { faults: [answersStatus(500)] }, async ({ engine }) => {
  expect(await tryCredentials(engine, 'basic')).toHaveStatus(200, 204);
});

check('system.auth.empty-body', { faults: [answersBody('{}')] }, async ({ engine }) => {
  expect(await given(tryCredentials(engine, 'basic'), 200, 204)).toBeEmptyBody();
});

check('system.auth.bad-credentials', { faults: [answersStatus(200)] }, async ({ engine }) => {
  await control(tryCredentials(engine, 'basic'), 200, 204);
  expect(await tryCredentials(engine, 'basic', { password: 'of another user' })).toBeRefused();
});

check('system.auth.json-media-type', { faults: [answersStatus(415)] }, async ({ engine }) => {
  expect(await tryCredentials(engine, 'basic')).toHaveStatus(200, 204);
});

for (const member of ['username', 'password', 'serveraddress'] as const) {
  check(`system.auth.body.${member}`, { faults: [ignoresBodyField(member)] }, async ({ engine }) => {
    expect(await tryCredentials(engine, 'basic')).toHaveStatus(200, 204);
  });
}

check('system.auth.body.email', { faults: [answersStatus(400)] }, async ({ engine }) => {
  expect(await tryCredentials(engine, 'basic')).toHaveStatus(200, 204);
});

const answered = fixture('the answer of POST /auth', ({ engine }) => given(tryCredentials(engine, 'bearer'), 200));

const status = fieldRule('system.auth.field.Status');
checkRule(status, { faults: fieldFaults('Status', status.field.schema) }, async ({ use }) => {
  expectField(await use(answered), status);
});

const token = fieldRule('system.auth.field.IdentityToken');
const retyped = retypesField('IdentityToken', token.field.schema);
checkRule(token, { faults: retyped ? [retyped] : [] }, async ({ use }) => {
  const answer = await use(answered);
  if (!answer.text.includes('"IdentityToken"')) throw new NotApplicable('the answer has no token, and it need not');
  expectField(answer, token);
});
