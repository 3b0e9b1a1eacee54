import { expect, test } from 'vitest';
import type { RuleId } from '../../specs/catalogue.ts';
import { resultsOf } from './planted.ts';

const patience = { timeout: 60_000 };

async function expectKept(rule: RuleId): Promise<void> {
  expect((await resultsOf([rule], '1.52')).get(rule)).toMatchObject({ verdict: 'pass' });
}

test('links are found in hosts files where only the networks of a container have its address', patience, async () => {
  await expectKept('generated.inputs.joined-containers');
});

test(
  'an image keeps what it was committed with where inspect leaves out what only containers have',
  patience,
  async () => {
    await expectKept('generated.inputs.commits');
  },
);

test('an image may be told of with fewer members in a later version', patience, async () => {
  await expectKept('versioning.same-image');
  await expectKept('generated.versions.images');
});
