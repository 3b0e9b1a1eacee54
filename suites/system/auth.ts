import { check, checkRule, type FixtureContext, fixture } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { control, given } from '../../harness/engine/given.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { expectField } from '../../harness/expect/field-rule.ts';
import { answersBody, answersStatus } from '../../harness/faults/answers.ts';
import type { Fault } from '../../harness/faults/fault.ts';
import { dropsField, fieldFaults, retypesField, setsField } from '../../harness/faults/fields.ts';
import { asksTokenWith, encodesNoForm, sendsTokenFormAs } from '../../harness/faults/registry.ts';
import { ignoresBodyField, swallows } from '../../harness/faults/requests.ts';
import { type Access, type AccessKind, clientId } from '../../harness/registry/access.ts';
import { Registry } from '../../harness/registry/registry.ts';
import { memberIn } from '../../harness/streams/json.ts';
import { Blocked, NotApplicable } from '../../harness/verdict/outcomes.ts';
import { atLeast } from '../../specs/versions.ts';
import { expectPulled, publish, pull, registryAuth, withRegistry } from '../registry/support/published-images.ts';
import { answerOf, doneOnce } from '../support/done-once.ts';
import { fieldRule } from '../support/field-checks.ts';

/** The result of trying credentials. */
interface Tried {
  readonly answer: Exchange;
  /** Whether the registry accepted them from the daemon. */
  readonly isLetIn: boolean;
  /** Who may log in there, and what was asked of its token endpoint. */
  readonly access: Access;
}

/** Tries the credentials of a new registry's user, with some members changed. */
async function tryCredentials(
  { engine, toRegistry: garbles }: FixtureContext,
  access: AccessKind,
  change: object = {},
): Promise<Tried> {
  const registry = await Registry.start({ access, garbles });
  try {
    const answer = await logInAnyhow(engine, registry, change);
    return { answer, isLetIn: registry.seen.some(({ admitted }) => admitted), access: registry.access };
  } finally {
    await registry.close();
  }
}

/**
 * Makes the daemon try the credentials of a registry's user, with some members changed: by a name by which daemons access
 * a registry on their own machine without TLS, and, where it does not ask the registry then, by its address.
 */
async function logInAnyhow(engine: Engine, registry: Registry, change: object = {}): Promise<Exchange> {
  const byName = { serveraddress: registry.host.replace('127.0.0.1', 'localhost'), ...change };
  const answer = await logIn(engine, registry, byName);
  return registry.seen.length > 0 ? answer : logIn(engine, registry, change);
}

/** The same by the address alone. */
function logIn(engine: Engine, { access, host: serveraddress }: Registry, change: object): Promise<Exchange> {
  const { username, password } = access.user;
  const email = atLeast(engine.api, '1.23') ? {} : { email: 'user@example.com' };
  return engine.post('/auth', { json: { username, password, serveraddress, ...email, ...change } });
}

const triedGood = doneOnce('good credentials', (context) => tryCredentials(context, 'basic'));
const triedForToken = doneOnce('good credentials for a token', (context) => tryCredentials(context, 'bearer'));

/** The answer to credentials that the registry accepted from the daemon. @throws Blocked when it accepted none */
async function givenLetIn(tried: Promise<Tried>): Promise<Exchange> {
  const { answer, isLetIn } = await tried;
  if (!isLetIn) throw new Blocked(`the daemon did not log in to the registry with the credentials of ${answer.id}`);
  return answer;
}

check('system.auth.good-credentials', { faults: [answersStatus(500)] }, async (context) => {
  expect(await givenLetIn(triedGood(context))).toHaveStatus(200, 204);
});

check('system.auth.empty-body', { faults: [answersBody('{}')] }, async (context) => {
  expect(await given(givenLetIn(triedGood(context)), 200, 204)).toBeEmptyBody();
});

const wrong = { password: 'of another user' };

/** Takes the token server's word for nothing: whoever asks for a token has logged in. */
const believesAnyone = (): Fault => {
  let count = 0;
  return {
    name: 'lets everyone in where tokens are given',
    answer: (answer) => (answer.status >= 400 && ++count > 1 ? { ...answer, status: 200 } : answer),
    anew: believesAnyone,
  };
};

check('system.auth.bad-credentials', { faults: [answersStatus(200), believesAnyone()] }, async (context) => {
  // Not shared: system.auth.server-error-500 judges an error only beside another answer to a check, and has no other.
  await control(givenLetIn(tryCredentials(context, 'basic')), 200, 204);
  expect((await tryCredentials(context, 'basic', wrong)).answer).toBeRefused();
  // Nothing says that every daemon can log in where tokens are given.
  const { answer: good } = await triedForToken(context);
  if (good.status >= 300) return;
  expect((await tryCredentials(context, 'bearer', wrong)).answer).toBeRefused();
});

check('system.auth.json-media-type', { faults: [answersStatus(415), swallows(200)] }, async (context) => {
  const { answer, isLetIn } = await triedGood(context);
  expect(answer).toHaveStatus(200, 204);
  expectValue('whether the daemon has logged in', isLetIn, [answer]).toBe(true);
});

for (const member of ['username', 'password', 'serveraddress'] as const) {
  const faults = [ignoresBodyField(member), swallows(200)];
  check(`system.auth.body.${member}`, { faults }, async (context) => {
    const { answer, isLetIn } = await triedGood(context);
    expectValue(`whether the daemon has logged in with ${member}`, isLetIn, [answer]).toBe(true);
    expect(answer).toHaveStatus(200, 204);
  });
}

check('system.auth.body.email', { faults: [answersStatus(400)] }, async (context) => {
  expect(await givenLetIn(triedGood(context))).toHaveStatus(200, 204);
});

const answered = fixture('the answer of POST /auth', async (context) => {
  const answer = await given(answerOf(triedForToken(context)), 200, 204);
  if (answer.status === 204) throw new NotApplicable('it answers 204, which has no body');
  return answer;
});

const status = fieldRule('system.auth.field.Status');
checkRule(status, { faults: fieldFaults('Status', status.field.schema) }, async ({ use }) => {
  expectField(await use(answered), status);
});

const token = fieldRule('system.auth.field.IdentityToken');
const retyped = retypesField('IdentityToken', token.field.schema);
checkRule(token, { faults: retyped ? [retyped] : [] }, async ({ use }) => {
  const answer = await use(answered);
  if (memberIn(answer.text, 'IdentityToken') === undefined) {
    throw new NotApplicable('the answer has no token, and it need not');
  }
  expectField(answer, token);
});

const otherForms = [
  sendsTokenFormAs('application/json'),
  encodesNoForm(),
  ...['grant_type', 'username', 'password', 'service', 'client_id'].map((parameter) => asksTokenWith(parameter)),
  asksTokenWith('grant_type', 'refresh_token'),
  asksTokenWith('service', 'another'),
];

check('system.auth.token-form', { faults: otherForms }, async (context) => {
  const { answer, access } = await triedForToken(context);
  const { service, forms, user } = access;
  if (forms.length === 0) throw new NotApplicable('the daemon posts no form to the token endpoint');
  const shown = forms.map(({ contentType, asked }) => ({
    type: contentType.split(';')[0],
    grant_type: asked.get('grant_type'),
    service: asked.get('service'),
    username: asked.get('username') === user.username,
    password: asked.get('password') === user.password,
    client_id: clientId.test(asked.get('client_id') ?? ''),
  }));
  const form = 'application/x-www-form-urlencoded';
  const wanted = { type: form, grant_type: 'password', service, username: true, password: true, client_id: true };
  expectValue('the forms, and whether they have the user and a client_id', shown, [answer]).toContain(wanted);
});

check(
  'system.auth.identity-token',
  { faults: [dropsField('IdentityToken'), setsField('IdentityToken', 'another')] },
  async ({ engine }) => {
    await withRegistry(engine, { access: 'bearer' }, async (repository) => {
      const image = await publish(engine, repository, 'one');
      const answer = await given(logInAnyhow(engine, repository.registry), 200, 204);
      const identitytoken = memberIn(answer.text, 'IdentityToken');
      expectValue('the IdentityToken', identitytoken, [answer]).toMatch(/./);
      await pull(engine, { fromImage: repository.name, tag: 'one' }, registryAuth({ identitytoken }));
      await expectPulled(engine, `${repository.name}:one`, image);
    });
  },
);
