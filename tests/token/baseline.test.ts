import { expect, onTestFinished, test } from 'vitest';
import { engineConformance } from '../cli/command.ts';
import { asMember, family } from './servers/family.ts';

// The maps of these servers come in another order each time.
test.each(['distribution 2.5.2', 'distribution 2.8.3'])(
  '%s: a baseline holds in every later run',
  async (name) => {
    const server = await family[name]?.();
    if (!server) throw new Error(`no ${name}`);
    onTestFinished(() => server.close());
    const args = ['run', ...server.named, ...asMember, '--baseline', `${name}.yaml`, '--report', 'baseline', '--quiet'];
    await engineConformance([...args, '--update-baseline', '--seed', '7']);
    for (const seed of ['8', '9', '10']) {
      const { status, stderr } = await engineConformance([...args, '--seed', seed]);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    }
  },
  120_000,
);
