import { test } from 'vitest';
import { expectVerdicts } from './planted.ts';

const patience = { timeout: 60_000 };

test('links are found in hosts files where only the networks of a container have its address', patience, async () => {
  await expectVerdicts('pass', '1.52', ['generated.inputs.joined-containers']);
});

test(
  'an image keeps what it was committed with where inspect leaves out what only containers have',
  patience,
  async () => {
    await expectVerdicts('pass', '1.52', ['generated.inputs.commits']);
  },
);

test('an image may be told of with fewer members in a later version', patience, async () => {
  await expectVerdicts('pass', '1.52', ['versioning.same-image', 'generated.versions.images']);
});
