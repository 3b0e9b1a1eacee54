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
    for (const seed of ['8', '9']) {
      const { status, stderr } = await engineConformance([...args, '--seed', seed]);
      // Nobody has looked at the new entries, which each run says.
      const said = stderr.split('\n').filter((line) => !/^\S.*\.yaml:\d+: \S+ is not reviewed yet: /.test(line));
      expect({ status, said }).toEqual({ status: 0, said: [''] });
    }
  },
  120_000,
);
