import { badParameter, serverError } from '../errors.ts';
import type { Call } from '../http/call.ts';
import { isObject } from '../http/fields.ts';
import { readCredentials } from './credentials.ts';
import { type Login, logIn } from './login.ts';

/** POST /auth (Document 3, System): tries credentials at a registry. */
export async function checkAuth(call: Call): Promise<void> {
  const body = await call.json();
  if (!isObject(body)) throw badParameter('the body is not an object');
  const { serveraddress, email } = body;
  if (typeof serveraddress !== 'string') throw badParameter('serveraddress is not a string');
  if (!call.since('1.23') && email !== undefined && typeof email !== 'string') throw badParameter('email is no string');
  const credentials = readCredentials(body, false);
  if (!credentials) throw badParameter('there is no username');
  const host = serveraddress.replace(/^https?:\/\//, '').replace(/\/.*$/, '');
  const controller = new AbortController();
  call.onGone(() => controller.abort());
  let login: Login;
  try {
    login = await logIn(host, credentials, controller.signal);
  } catch (error) {
    throw serverError(error instanceof Error ? error.message : String(error));
  }
  if (!call.since('1.23')) return call.answerEmpty(200);
  const token = login.identityToken === '' ? {} : { IdentityToken: login.identityToken };
  call.answer(200, { Status: 'Login Succeeded', ...token });
}
