import { randomBytes } from 'node:crypto';

/** Whether a form presents a refresh token. */
export const isRefresh = (form: URLSearchParams) => form.get('grant_type') === 'refresh_token';

/** Whether a form requests a refresh token. */
export const isOffline = (form: URLSearchParams) => form.get('access_type') === 'offline';

/** A name, password or token that no server knows. */
export function unknownText(): string {
  return `ec-unknown-${randomBytes(16).toString('hex')}`;
}
