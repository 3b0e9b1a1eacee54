import { expect, test } from 'vitest';
import { resultsOf } from './planted.ts';

test('links are found in hosts files where only the networks of a container have its address', async () => {
  const results = await resultsOf(['generated.inputs.joined-containers'], '1.52');
  expect(results.get('generated.inputs.joined-containers')).toMatchObject({ verdict: 'pass' });
});
