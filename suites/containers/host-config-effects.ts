import { type CheckContext, check } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { outputWith, readOutput } from '../../harness/engine/output.ts';
import { expectValue } from '../../harness/expect/expect.ts';
import { ignoresBodyField, takesBodyFieldAs } from '../../harness/faults/requests.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import type { RuleId } from '../../specs/catalogue.ts';
import { commonContainer, idle, useCommon } from '../common-containers.ts';
import { givenInterface, givenNames, noGivenInterface } from './interfaces.ts';
import { Together } from './together.ts';

interface Effect {
  readonly value: JsonValue;
  /** Steps of the probe whose output shows the effect. */
  readonly run: readonly string[];
  readonly shows: RegExp;
  /** Shows as well beside the others of which that is said. */
  readonly together?: true;
  /** A value under which the effect would not be seen, for a field whose default has it too. */
  readonly insteadOf?: JsonValue;
}

const together = new Together('several fields of HostConfig');

/** A field of HostConfig whose effect the process sees and writes to its output. */
function checkEffect(id: RuleId, field: string, { value, run, shows, insteadOf, ...effect }: Effect): void {
  const path = `HostConfig.${field}`;
  const fault = insteadOf === undefined ? ignoresBodyField(path) : takesBodyFieldAs(path, insteadOf);
  const setting = { run, hostConfig: { [field]: value } };
  if (effect.together) together.add(id, setting);
  check(id, { faults: [fault] }, async (context) => {
    const shown = await together.outputOf(context, id, (text) => shows.test(text));
    const { stdout, evidence } = shown ?? (await outputWith(context.engine, setting));
    expectValue('the output of the container', stdout, [evidence]).toMatch(shows);
  });
}

checkEffect('containers.create.host-config.tmpfs', 'Tmpfs', {
  value: { '/ec-tmpfs': 'rw,size=8192k' },
  run: ['read', '/proc/self/mounts'],
  shows: /^tmpfs \/ec-tmpfs tmpfs rw\S*\bsize=8192k/m,
  together: true,
});
checkEffect('containers.create.host-config.oom-score-adj', 'OomScoreAdj', {
  value: 500,
  run: ['read', '/proc/self/oom_score_adj'],
  shows: /^500\n$/,
  together: true,
});
checkEffect('containers.create.host-config.pid-mode-empty', 'PidMode', {
  value: '',
  run: ['pid'],
  shows: /^1 0\n$/,
  insteadOf: 'host',
  together: true,
});
checkEffect('containers.create.host-config.pid-mode-host', 'PidMode', {
  value: 'host',
  run: ['pid'],
  shows: /^(?!1 )\d+ \d+\n$/,
});
checkEffect('containers.create.host-config.privileged', 'Privileged', {
  value: true,
  run: ['read', '/proc/self/status'],
  // Bit 21 is CAP_SYS_ADMIN, which no engine gives by default.
  shows: /^CapEff:\s+[0-9a-f]*[2367abef][0-9a-f]{5}$/m,
});
checkEffect('containers.create.host-config.readonly-rootfs', 'ReadonlyRootfs', {
  value: true,
  run: ['try', 'write', '/ec-file', 'x'],
  // 30 is EROFS.
  shows: /^error 30\n$/,
  together: true,
});
checkEffect('containers.create.host-config.dns', 'Dns', {
  value: ['192.0.2.1'],
  run: ['read', '/etc/resolv.conf'],
  shows: /^nameserver\s+192\.0\.2\.1\s*$/m,
  together: true,
});
checkEffect('containers.create.host-config.dns-options', 'DnsOptions', {
  value: ['timeout:3'],
  run: ['read', '/etc/resolv.conf'],
  shows: /^options\s.*\btimeout:3\b/m,
  together: true,
});
checkEffect('containers.create.host-config.dns-search', 'DnsSearch', {
  value: ['ec.example.test'],
  run: ['read', '/etc/resolv.conf'],
  shows: /^search\s.*\bec\.example\.test\b/m,
  together: true,
});
checkEffect('containers.create.host-config.extra-hosts', 'ExtraHosts', {
  value: ['ec-host:192.0.2.2'],
  run: ['read', '/etc/hosts'],
  shows: /^192\.0\.2\.2\s.*\bec-host\b/m,
  together: true,
});
checkEffect('containers.create.host-config.cap-add', 'CapAdd', {
  value: ['NET_ADMIN'],
  run: ['read', '/proc/self/status'],
  // Bit 12 is CAP_NET_ADMIN.
  shows: /^CapBnd:\s+[0-9a-f]*[13579bdf][0-9a-f]{3}$/m,
  together: true,
});
checkEffect('containers.create.host-config.cap-drop', 'CapDrop', {
  value: ['CHOWN'],
  run: ['read', '/proc/self/status'],
  // Bit 0 is CAP_CHOWN.
  shows: /^CapBnd:\s+[0-9a-f]*[02468ace]$/m,
  together: true,
});
checkEffect('containers.create.host-config.group-add', 'GroupAdd', {
  value: ['extra'],
  run: ['id'],
  shows: /groups=(?:\d+,)*2000\b/,
  together: true,
});
checkEffect('containers.create.host-config.network-none', 'NetworkMode', {
  value: 'none',
  run: ['read', '/proc/net/dev'],
  shows: noGivenInterface,
});
checkEffect('containers.create.host-config.network-bridge', 'NetworkMode', {
  value: 'bridge',
  run: ['read', '/proc/net/dev'],
  shows: givenInterface,
  insteadOf: 'none',
  together: true,
});
check(
  'containers.create.host-config.network-host',
  { faults: ['none', 'bridge'].map((mode) => takesBodyFieldAs('HostConfig.NetworkMode', mode)) },
  async ({ engine }) => {
    const hostConfig = { NetworkMode: 'host' };
    const { stdout, evidence } = await outputWith(engine, { run: ['list', '/sys/class/net'], hostConfig });
    const names = givenNames(stdout);
    expectValue('the number of network interfaces beside the loopback', names.length, [evidence]).toBeAtLeast(1);
    if (names.length > 1) return;
    // A host with one interface looks like a container with one; but what two containers share has one address.
    const read = ['read', `/sys/class/net/${names[0]}/address`];
    const other = await makeContainer(engine, { run: [...read, 'forever'], hostConfig, state: 'running' });
    await other.hasWritten(':');
    const [one, two] = [await readOutput(other), await outputWith(engine, { run: read, hostConfig })];
    expectValue('the address of the interface in another container', two.stdout, [one.evidence, two.evidence]).toBe(
      one.stdout,
    );
  },
);
checkEffect('containers.create.host-config.devices', 'Devices', {
  value: [{ PathOnHost: '/dev/zero', PathInContainer: '/dev/ec-zero', CgroupPermissions: 'mrw' }],
  run: ['stat', '/dev/ec-zero'],
  // A character device.
  shows: /^2\d{4} /,
  together: true,
});
checkEffect('containers.create.host-config.ulimits', 'Ulimits', {
  // An engine may add a limit of its own for processes where the request has none, and the host may refuse that one.
  value: [
    { Name: 'nofile', Soft: 512, Hard: 1024 },
    { Name: 'nproc', Soft: 4096, Hard: 8192 },
  ],
  run: ['read', '/proc/self/limits'],
  shows: /^Max open files\s+512\s+1024\b/m,
  together: true,
});

/** Has a volume with a file, beside which others write theirs. */
const volumeOwner = commonContainer('a container with a volume', {
  run: ['write', '/ec-volume/file', 'shared'],
  state: 'exited',
  config: { Volumes: { '/ec-volume': {} } },
});

/** What another container sees of the volume's mount at `/ec-volume`. */
async function sharedVolume({ engine, use }: CheckContext, mode: string) {
  const owner = await use(volumeOwner);
  return outputWith(engine, {
    run: ['try', 'read', '/ec-volume/file', 'try', 'write', '/ec-volume/other', 'x', 'out', ' done'],
    hostConfig: { VolumesFrom: [`${owner.name}${mode}`] },
  });
}

for (const [name, mode, output] of [
  ['volumes-from', '', 'shared done'],
  ['volumes-from-rw', ':rw', 'shared done'],
  ['volumes-from-ro', ':ro', 'sharederror 30\n done'],
] as const) {
  check(
    `containers.create.host-config.${name}`,
    { faults: [ignoresBodyField('HostConfig.VolumesFrom')] },
    async (context) => {
      const { stdout, evidence } = await sharedVolume(context, mode);
      expectValue('what the second container reads and writes', stdout, [evidence]).toBe(output);
    },
  );
}

for (const [name, readOnly] of [
  ['bind-volume', false],
  ['bind-volume-ro', true],
] as const) {
  check(
    `containers.create.host-config.${name}`,
    { faults: [ignoresBodyField('HostConfig.Binds')] },
    async ({ engine }) => {
      const volume = engine.name('volume');
      await makeContainer(engine, {
        run: ['write', '/ec-volume/file', 'kept'],
        state: 'exited',
        hostConfig: { Binds: [`${volume}:/ec-volume`] },
      });
      const { stdout, evidence } = await outputWith(engine, {
        run: ['try', 'read', '/ec-other/file', 'try', 'write', '/ec-other/more', 'x'],
        hostConfig: { Binds: [`${volume}:/ec-other${readOnly ? ':ro' : ''}`] },
      });
      const output = `kept${readOnly ? 'error 30\n' : ''}`;
      expectValue('what the second container reads and writes', stdout, [evidence]).toBe(output);
    },
  );
}

check(
  'containers.create.host-config.pid-mode-container',
  { faults: [ignoresBodyField('HostConfig.PidMode')] },
  async ({ engine, use }) => {
    const other = await use(idle);
    for (const form of [other.id, other.name]) {
      const { stdout, evidence } = await outputWith(engine, {
        run: ['pid'],
        hostConfig: { PidMode: `container:${form}` },
      });
      expectValue('the process id in the container', stdout, [evidence]).toMatch(/^(?!1 )\d+ /);
    }
  },
);

const port = '8099';

/** Answers on a port of its own loopback, which only those see that share its network. */
const listening = commonContainer(
  'a running container that listens on its loopback',
  { run: ['out', 'ready\\n', 'listen', port], state: 'running' },
  'ready',
);

check(
  'containers.create.host-config.network-container',
  { faults: [takesBodyFieldAs('HostConfig.NetworkMode', 'none')] },
  async (context) => {
    const { engine } = context;
    const other = await useCommon(context, listening);
    const connects = ['try', 'connect', '127.0.0.1', port];
    for (const form of [other.id, other.name]) {
      const { stdout, evidence } = await outputWith(engine, {
        // It says that it is ready just before it listens.
        run: [...connects, 'sleep', '50', ...connects],
        hostConfig: { NetworkMode: `container:${form}` },
      });
      expectValue('what the container reads from the loopback of the other', stdout, [evidence]).toContain('probe\n');
    }
  },
);
