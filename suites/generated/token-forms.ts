import fc from 'fast-check';
import { check } from '../../harness/check.ts';
import { expectValue } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { refusesForms } from '../../harness/faults/forms.ts';
import { valuesOf } from '../../harness/generators/settings.ts';
import { words } from '../../harness/generators/texts.ts';
import { forAll } from '../../harness/property/for-all.ts';
import type { Trial } from '../../harness/property/trial.ts';
import { isWithin, shownScope } from '../../harness/token/scope.ts';
import { tokenRequest } from '../../specs/resources/token.ts';
import {
  ask,
  askWithPassword,
  askWithRefreshToken,
  expectNoToken,
  expectThat,
  expectToken,
  grantIn,
} from '../token/support/grants.ts';

const { client_id, access_type } = tokenRequest.properties;

/** Whether spaces at the ends are trimmed is not judged. */
const clients = (valuesOf(client_id) ?? fc.constant('a')).map((text) => `a${text}z`);

const scopes = fc
  .record({
    names: fc.array(words, { minLength: 1, maxLength: 3 }),
    actions: fc.subarray(['pull', 'push'], { minLength: 1 }),
  })
  .map(({ names, actions }) => `repository:engine-conformance/${names.join('/')}:${actions.join(',')}`);

const required = ['grant_type', 'service', 'client_id'] as const;
const missingRules = {
  grant_type: 'token.grant-missing-refused',
  service: 'token.service-missing-refused',
  client_id: 'token.client-missing-refused',
} as const;

const values = fc.record({
  client: clients,
  access: valuesOf(access_type) ?? fc.constant('online'),
  scope: fc.array(scopes, { maxLength: 3 }),
  missing: fc.constantFrom(...required),
  password: words,
});

check(
  'generated.inputs.token-forms',
  {
    faults: [
      answersStatus(400, 200),
      setsField('scope', 'repository:ec-other/repository:pull'),
      refusesForms('clients with special characters', (form) => !/^[\w.-]+$/.test(form.get('client_id') ?? '')),
      answersStatus(200),
    ],
  },
  (context) =>
    forAll(context, values, { runs: 5 }, async ({ client, access, scope, missing, password }, trial: Trial) => {
      const { tokens } = trial;
      const asked = scope.join(' ');
      const form = { client_id: client, access_type: String(access), ...(asked !== '' && { scope: asked }) };
      trial.step(`asks for ${access} access as the client ${JSON.stringify(client)} with the scope '${asked}'`);
      const answer = await ask(tokens, form);
      await trial.decides('token.client-syntax', () => void expectToken(answer));
      const grant = grantIn(answer);
      if (!grant) return;
      await trial.decides('token.scope-subset', () =>
        expectValue('scope', shownScope(grant.scope ?? ''), [answer]).toSatisfy(
          `no more than ${shownScope(asked)}`,
          () => asked === '' || isWithin(grant.scope ?? '', asked),
        ),
      );
      const offline = access === 'offline';
      await trial.decides(offline ? 'token.offline-refresh-token' : 'token.online-no-refresh-token', () =>
        expectThat(
          `the answer has ${offline ? 'a' : 'no'} refresh_token`,
          (grant.refreshToken !== undefined) === offline,
          answer,
        ),
      );
      if (grant.refreshToken !== undefined) {
        trial.step('shows the refresh token for another one');
        const { access_type: _, ...same } = form;
        const again = await askWithRefreshToken(tokens, grant.refreshToken, same);
        await trial.decides('token.grant-refresh', () => void expectToken(again));
      }
      trial.step(`asks without ${missing}`);
      const without = await ask(tokens, { ...form, [missing]: undefined });
      await trial.decides(missingRules[missing], () => expectNoToken(without));
      if (tokens.server.access?.grant !== 'password') return;
      trial.step('asks with a wrong password');
      const wrong = await askWithPassword(tokens, { ...form, password: `ec-unknown-${password}` });
      await trial.decides('token.bad-password-refused', () => expectNoToken(wrong));
    }),
);
