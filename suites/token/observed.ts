import { check } from '../../harness/check.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { observe } from '../../harness/expect/expect.ts';
import { clientId } from '../../harness/token/token-server.ts';
import { grantIn, passwordForm, refreshForm } from './ask.ts';

check('token.may-answer-404', { faults: [] }, async ({ tokens }) => {
  const answer = await tokens.post(passwordForm(tokens));
  observe(answer.status === 404 ? 'answers 404: gives no tokens this way' : 'does not answer 404', answer);
});

check('token.grant-authorization-code', { faults: [] }, async ({ tokens }) => {
  const answer = await tokens.post(passwordForm(tokens, { grant_type: 'authorization_code', code: 'ec-unknown' }));
  observe(factOf(answer), answer);
});

check('token.error-answers', { faults: [] }, async ({ tokens }) => {
  const cases = {
    'a wrong password': passwordForm(tokens, { password: 'ec-unknown' }),
    'an unknown refresh token': refreshForm(tokens, 'ec-unknown'),
    'a missing grant_type': passwordForm(tokens, { grant_type: undefined }),
    'an unknown grant_type': passwordForm(tokens, { grant_type: 'ec-unknown' }),
    'a scope of no form': passwordForm(tokens, { scope: 'ec-unknown' }),
  };
  for (const [defect, form] of Object.entries(cases)) {
    const answer = await tokens.post(form);
    observe(`to ${defect} it ${factOf(answer)}`, answer);
  }
});

check('token.get-variant', { faults: [] }, async ({ tokens }) => {
  const answer = await tokens.get({ service: tokens.server.service, client_id: clientId });
  observe(factOf(answer), answer);
});

function factOf(answer: Exchange): string {
  const token = grantIn(answer) ? 'a token' : 'no token';
  return `answers ${answer.status} with ${token} and ${bodyKind(answer.text)}`;
}

function bodyKind(text: string): string {
  if (text === '') return 'no body';
  try {
    const names = Object.keys(Object(JSON.parse(text)));
    return names.length > 0 ? `a JSON object with ${names.toSorted().join(', ')}` : 'JSON without members';
  } catch {
    return 'a text';
  }
}
