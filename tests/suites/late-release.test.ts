import { test } from 'vitest';
import { conflict } from '../../reference/errors.ts';
import { around, expectVerdicts } from '../generated/planted.ts';

const lateMs = 200;

/** An engine on which a volume counts as used for a moment after its container was removed. */
function releasesLate(): void {
  let removedAt = 0;
  around('DELETE /containers/{id…}', async (_call, answer) => {
    await answer();
    removedAt = Date.now();
  });
  around('DELETE /volumes/{name}', (_call, answer) => {
    if (Date.now() - removedAt < lateMs) throw conflict('the volume is in use for a moment');
    return answer();
  });
}

/** An engine on which a network has a container for a moment after that was removed. */
function leavesLate(): void {
  around('DELETE /containers/{id…}', async (call, answer) => {
    const container = call.engine.containers.get(call.param('id'));
    const left = container.endpoints;
    await answer();
    for (const endpoint of left) {
      const { endpoints } = endpoint.network;
      endpoints.set(container.id, endpoint);
      setTimeout(() => endpoints.delete(container.id), lateMs);
    }
  });
}

test.each(['volumes.remove.data-gone', 'generated.models.volumes'] as const)(
  'a volume may be let go a moment after its container was removed: %s',
  { timeout: 60_000 },
  async (rule) => {
    releasesLate();
    await expectVerdicts('pass', '1.23', [rule], { seed: 1 });
  },
);

test('a network may have a container for a moment after that was removed', { timeout: 60_000 }, async () => {
  leavesLate();
  await expectVerdicts('pass', '1.23', ['generated.models.networks'], { seed: 1 });
});
