import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const registry = new URL('../../dist/harness/registry/registry.js', import.meta.url).href;

/** Starts a registry, and prints the status that it answers. */
const client = `
  import { Registry } from '${registry}';
  const registry = await Registry.start();
  console.log((await fetch('http://' + registry.host + '/v2/')).status);
  await registry.close();
`;

/** The first connection leads to a port where nobody listens, as the host may hand on the port of a container. */
const elsewhere =
  'iptables -t nat -A OUTPUT -p tcp -m statistic --mode nth --every 1000 --packet 0 -j REDIRECT --to-ports 9';

/** Runs a command in a network of its own, where the first connection leads elsewhere. */
function there(command: string, ...args: readonly string[]) {
  const script = `ip link set lo up && ${elsewhere} && exec "$0" "$@"`;
  return spawnSync('unshare', ['--net', 'sh', '-c', script, command, ...args], { encoding: 'utf8' });
}

const isPossible = there('true').status === 0;

test.skipIf(!isPossible)(
  'a registry takes another port where its own leads elsewhere (needs root and iptables)',
  () => {
    const { stdout, stderr } = there(process.execPath, '--input-type=module', '--eval', client);
    expect(stdout, stderr).toBe('200\n');
  },
);
