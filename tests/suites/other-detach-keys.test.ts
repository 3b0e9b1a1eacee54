import { onTestFinished, test } from 'vitest';
import { defaultDetachKeys } from '../../reference/containers/streams/detach-keys.ts';
import { expectVerdicts } from '../generated/planted.ts';

/** Lets other keys leave a terminal where a client names none, until the test ends. */
function leavesWith(keys: readonly [number, number]): void {
  const usual = Buffer.from(defaultDetachKeys);
  defaultDetachKeys.set(keys);
  onTestFinished(() => defaultDetachKeys.set(usual));
}

test.each(['1.21', '1.23'] as const)('an engine may leave a terminal with other keys than usual in %s', async (api) => {
  // The second follows the first in generated input.
  leavesWith([0x15, 0x1c]);
  for (const seed of [1, 2, 3]) await expectVerdicts('pass', api, ['generated.streams.input'], { seed });
});
