import { check } from '../../harness/check.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { observe } from '../../harness/expect/expect.ts';
import { membersIn } from '../../harness/token/answer.ts';
import { passwordForm, refreshForm } from '../../harness/token/form.ts';
import { unknownText } from './support/forms.ts';
import { ask, grantIn } from './support/grants.ts';

check('token.may-answer-404', { faults: [] }, async ({ tokens }) => {
  const answer = await tokens.post(passwordForm(tokens.server));
  observe(answer.status === 404 ? 'answers 404: gives no tokens this way' : 'does not answer 404', answer);
});

check('token.grant-authorization-code', { faults: [] }, async ({ tokens }) => {
  const answer = await ask(tokens, { grant_type: 'authorization_code', code: unknownText() });
  observe(factOf(answer), answer);
});

check('token.error-answers', { faults: [] }, async ({ tokens }) => {
  const { server } = tokens;
  const cases = {
    ...(server.user && { 'a wrong password': () => tokens.post(passwordForm(server, { password: unknownText() })) }),
    'an unknown refresh token': () => tokens.post(refreshForm(server, unknownText())),
    'a missing grant_type': () => ask(tokens, { grant_type: undefined }),
    'an unknown grant_type': () => ask(tokens, { grant_type: unknownText() }),
    'a scope of no form': () => ask(tokens, { scope: unknownText() }),
  };
  for (const [defect, send] of Object.entries(cases)) {
    const answer = await send();
    observe(`to ${defect} it ${factOf(answer)}`, answer);
  }
});

check('token.other-media-type', { faults: [] }, async ({ tokens }) => {
  const { server } = tokens;
  const form = server.user ? passwordForm(server) : refreshForm(server, server.refreshToken ?? unknownText());
  const answer = await tokens.postJson(form);
  observe(factOf(answer), answer);
});

check('token.get-variant', { faults: [] }, async ({ tokens }) => {
  const answer = await tokens.getUnknown();
  observe(factOf(answer), answer);
});

function factOf(answer: Exchange): string {
  const token = grantIn(answer) ? 'a token' : 'no token';
  return `answers ${answer.status} with ${token} and ${bodyKind(answer)}`;
}

function bodyKind({ answer, text }: Exchange): string {
  if (text === '') return 'no body';
  const members = membersIn(answer);
  if (!members) return 'a text';
  const names = [...members.keys()].toSorted();
  return names.length > 0 ? `a JSON object with ${names.join(', ')}` : 'a JSON object without members';
}
