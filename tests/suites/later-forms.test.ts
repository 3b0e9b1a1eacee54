import { expect, test } from 'vitest';
import { EngineError } from '../../reference/errors.ts';
import type { RuleId } from '../../specs/catalogue.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import { around, resultsOf } from '../generated/planted.ts';

const patience = { timeout: 60_000 };

/** Refuses with another status where the reference engine refuses with this one. */
function refusesOtherwise(endpoint: string, from: number, to: number): void {
  around(endpoint, async (_call, answer) => {
    try {
      await answer();
    } catch (error) {
      throw error instanceof EngineError && error.status === from ? new EngineError(to, error.message) : error;
    }
  });
}

async function verdictsOf(rules: readonly RuleId[], api: ApiVersion): Promise<Record<string, string>> {
  const results = await resultsOf(rules, api);
  return Object.fromEntries([...results].map(([rule, { verdict }]) => [rule, verdict]));
}

test('a pull without credentials may be refused with 500 in carried versions', patience, async () => {
  refusesOtherwise('POST /images/create', 404, 500);
  const rule = 'images.create.no-credentials-404';
  expect(await verdictsOf([rule], '1.24')).toEqual({ [rule]: 'pass' });
  expect(await verdictsOf([rule], '1.23')).toEqual({ [rule]: 'fail' });
});

test('credentials may be refused with 401 in carried versions', patience, async () => {
  refusesOtherwise('POST /auth', 500, 401);
  const rule = 'system.auth.bad-credentials';
  expect(await verdictsOf([rule], '1.24')).toEqual({ [rule]: 'pass' });
  expect(await verdictsOf([rule], '1.23')).toEqual({ [rule]: 'fail' });
});
