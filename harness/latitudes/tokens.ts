import type { JsonValue } from '../streams/json.ts';
import { isObject } from '../streams/json-path.ts';
import type { Latitude } from './latitude.ts';

/** What a token server may answer. */
export const ofTokens: readonly Latitude[] = [
  ofTokenAnswers(
    {
      name: 'further-token-members',
      says: 'gives the access token under a second name too, and says whose it is',
      ground: { interpretation: 'open-objects', because: 'nothing forbids further members' },
    },
    (members) => ({ ...members, token: members.access_token ?? null, account: { name: 'somebody' }, token_type: 'x' }),
  ),
  ofTokenAnswers(
    {
      name: 'tokens-of-another-precision',
      says: 'gives the time of issue to the nanosecond',
      ground: { source: [1, 'Registry token endpoint'], because: 'an RFC 3339 time may have any fraction' },
    },
    (members) =>
      typeof members.issued_at === 'string'
        ? { ...members, issued_at: members.issued_at.replace(/(?:\.\d+)?Z$/, '.000000001Z') }
        : members,
  ),
  ofTokenAnswers(
    {
      name: 'tokens-of-long-life',
      says: 'gives tokens that are valid for a day',
      ground: { source: [1, 'Limits'], because: 'a token is valid for at least 60 seconds' },
    },
    (members) => ('expires_in' in members ? { ...members, expires_in: 86_400 } : members),
  ),
  ofTokenAnswers(
    {
      name: 'tokens-of-unknown-age',
      says: 'does not say when a token was issued',
      ground: { source: [1, 'Registry token endpoint'], because: 'issued_at is not required' },
      // Where there is no time of issue, no other form of it is tried.
      against: ['tokens-of-another-precision'],
      skips: /no issued_at/,
    },
    ({ issued_at: _, ...members }) => members,
  ),
  ofTokenAnswers(
    {
      name: 'scopes-in-another-order',
      says: 'gives the scopes and their actions in another order than they were asked for',
      ground: { source: [1, 'Registry token endpoint'], because: 'nothing says that the list of scopes has an order' },
    },
    (members) => (typeof members.scope === 'string' ? { ...members, scope: inAnotherOrder(members.scope) } : members),
  ),
];

type Members = Readonly<Record<string, JsonValue>>;

function ofTokenAnswers(
  latitude: Pick<Latitude, 'name' | 'says' | 'ground' | 'against' | 'skips'>,
  change: (members: Members) => Members,
): Latitude {
  return {
    ...latitude,
    area: 'tokens',
    json: (value) => (isObject(value) && 'access_token' in value ? { ...change(value) } : value),
  };
}

function inAnotherOrder(scope: string): string {
  const scopes = scope.split(' ').map((one) => {
    const at = one.lastIndexOf(':') + 1;
    return one.slice(0, at) + one.slice(at).split(',').toReversed().join(',');
  });
  return scopes.toReversed().join(' ');
}
