import { check, fixture } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import { outputWith } from '../../harness/engine/output.ts';
import { expectValue } from '../../harness/expect/expect.ts';
import { ignoresBodyField, takesBodyFieldAs } from '../../harness/faults/requests.ts';
import { NotApplicable } from '../../harness/verdict/outcomes.ts';
import { ifThere } from '../support/shared-results.ts';
import { createVolume } from './support/volumes.ts';

/** The only options of the driver local that the checks use (interpretation `volume-options`). */
const inMemory = { type: 'tmpfs', device: 'tmpfs' };

/** What a container that has a volume with these options sees. */
async function seenWith(engine: Engine) {
  const name = engine.name('volume');
  const created = await createVolume(engine, name, { DriverOpts: inMemory });
  if (created.status >= 400) throw new NotApplicable(`options of the driver local are refused (${created.status})`);
  const { stdout, evidence } = await outputWith(engine, {
    run: ['read', '/proc/self/mounts'],
    hostConfig: { Binds: [`${name}:/data`] },
    network: 'any',
  });
  return { created, stdout, evidence };
}

const seen = fixture('the mounts of a container that has a volume with options', ({ engine }) => seenWith(engine));

for (const [id, fault] of [
  ['volumes.create.driver-options', ignoresBodyField('DriverOpts')],
  ['volumes.create.body.DriverOpts', takesBodyFieldAs('DriverOpts', {})],
] as const) {
  check(id, { faults: [fault] }, async ({ engine, use }) => {
    // Where a step is refused, each judges that for itself.
    const { created, stdout, evidence } = (await ifThere(use(seen))) ?? (await seenWith(engine));
    expectValue('the mounts of a container that has the volume', stdout, [created, evidence]).toMatch(
      /^tmpfs \/data tmpfs rw/m,
    );
  });
}
