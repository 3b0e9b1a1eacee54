import { type CheckContext, check } from '../../../harness/check.ts';
import { makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import { outputWith, readOutput } from '../../../harness/engine/output.ts';
import { expectValue } from '../../../harness/expect/expect.ts';
import { alike, type Fault, on } from '../../../harness/faults/fault.ts';
import { ignoresBodyField, takesBodyFieldAs } from '../../../harness/faults/requests.ts';
import { changesFrames } from '../../../harness/faults/streams.ts';
import type { JsonValue } from '../../../harness/streams/json.ts';
import type { RuleId } from '../../../specs/catalogue.ts';
import { commonContainer, idle, useCommon } from '../../support/common-containers.ts';
import { givenInterface, givenNames, noGivenInterface } from '../support/interfaces.ts';
import { Together } from '../support/tried-together.ts';

interface Effect {
  readonly value: JsonValue;
  /** Steps of the probe whose output shows the effect. */
  readonly run: readonly string[];
  readonly shows: RegExp;
  /** Can share a container with the others that have this flag. */
  readonly together?: true;
  /** Values that hide the effect, for a field whose default shows it too. */
  readonly insteadOf?: readonly JsonValue[];
}

const together = new Together('several fields of HostConfig');

/** A field of HostConfig whose effect the process sees and reports in its output. */
function checkEffect(id: RuleId, field: string, { value, run, shows, insteadOf, ...effect }: Effect): void {
  const path = `HostConfig.${field}`;
  const faults = insteadOf?.map((other) => takesBodyFieldAs(path, other)) ?? [ignoresBodyField(path)];
  const setting = { run, hostConfig: { [field]: value } };
  if (effect.together) together.add(id, setting);
  check(id, { faults }, async (context) => {
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
  insteadOf: ['host'],
  together: true,
});
check(
  'containers.create.host-config.pid-mode-host',
  {
    faults: [
      ignoresBodyField('HostConfig.PidMode'),
      alike(
        'has an init process in process ids of its own',
        ignoresBodyField('HostConfig.PidMode'),
        on('GET /containers/{id}/logs', afterInit()),
      ),
    ],
  },
  async ({ engine }) => {
    const hostConfig = { PidMode: 'host' };
    // The process itself ignores the last argument; it is for those who look at the process from outside.
    const mark = engine.name('container');
    const other = await makeContainer(engine, { run: ['pid', 'forever', mark], hostConfig, state: 'running' });
    await other.hasWritten(' ');
    const ids = await readOutput(other);
    expectValue('the process id and that of its parent', ids.stdout, [ids.evidence]).toMatch(/^(?!1 )\d+ \d+\n$/);
    const [pid] = ids.stdout.split(' ');
    const run = ['try', 'read', `/proc/${pid}/cmdline`];
    const { stdout, evidence } = await outputWith(engine, { run, hostConfig });
    const label = `what another container there sees as the command of the process ${pid}`;
    expectValue(label, stdout, [ids.evidence, evidence]).toContain(mark);
  },
);

/** Reports the ids of the process as if it were started by another one, not as the first. */
function afterInit(): Fault {
  const { incoming: _notWhileItRuns, ...fault } = changesFrames('comes after an init process', (frames) =>
    frames.map(({ stream, payload }) => ({
      stream,
      payload: Buffer.from(payload.toString('latin1').replace(/^1 0\n/, '7 1\n'), 'latin1'),
    })),
  );
  return fault;
}

/** Capabilities that no engine grants by default. */
const wide = ['SYS_ADMIN', 'NET_ADMIN', 'SYS_PTRACE', 'SYS_TIME', 'SYS_MODULE', 'SYS_RAWIO', 'IPC_LOCK', 'SYSLOG'];

/** The effective capabilities of the process of a container. */
async function capabilitiesWith(engine: Engine, hostConfig: Readonly<Record<string, unknown>>) {
  const { stdout, evidence } = await outputWith(engine, { run: ['read', '/proc/self/status'], hostConfig });
  return { bits: BigInt(`0x${/^CapEff:\s+([0-9a-f]+)$/m.exec(stdout)?.[1] ?? '0'}`), evidence };
}

check(
  'containers.create.host-config.privileged',
  {
    faults: [
      ignoresBodyField('HostConfig.Privileged'),
      alike(
        'adds one capability only',
        ignoresBodyField('HostConfig.Privileged'),
        on('GET /containers/{id}/logs', addsSysAdmin()),
      ),
    ],
  },
  async ({ engine }) => {
    const privileged = await capabilitiesWith(engine, { Privileged: true });
    // Bit 21 is CAP_SYS_ADMIN, which no engine grants by default.
    expectValue('bit 21 of CapEff', Number((privileged.bits >> 21n) & 1n), [privileged.evidence]).toBe(1);
    // Full access includes what the daemon can grant by name, which is less than all on some hosts.
    const given = await capabilitiesWith(engine, { CapAdd: wide });
    expectValue('CapEff', privileged.bits.toString(16), [given.evidence, privileged.evidence]).toSatisfy(
      `all of ${given.bits.toString(16)}, which CapAdd gives`,
      () => (given.bits & ~privileged.bits) === 0n,
    );
  },
);

/** The capabilities that the process reads include CAP_SYS_ADMIN. */
function addsSysAdmin(): Fault {
  return changesFrames('adds CAP_SYS_ADMIN', (frames) =>
    frames.map(({ stream, payload }) => {
      const text = payload.toString('latin1').replace(/^CapEff:\t([0-9a-f]+)$/m, (_line, bits: string) => {
        return `CapEff:\t${(BigInt(`0x${bits}`) | (1n << 21n)).toString(16).padStart(16, '0')}`;
      });
      return { stream, payload: Buffer.from(text, 'latin1') };
    }),
  );
}

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
  insteadOf: ['bridge', 'host'],
});
checkEffect('containers.create.host-config.network-bridge', 'NetworkMode', {
  value: 'bridge',
  run: ['read', '/proc/net/dev'],
  shows: givenInterface,
  insteadOf: ['none'],
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
    // A host with one interface looks like a container with one; but containers that share an interface see the same
    // address.
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
  value: [{ PathOnHost: '/dev/full', PathInContainer: '/dev/ec-full', CgroupPermissions: 'mrw' }],
  run: ['stat', '/dev/ec-full', 'try', 'append', '/dev/ec-full', 'x'],
  // A character device that answers every write with ENOSPC.
  shows: /^2\d{4} .*\nerror 28\n$/,
  together: true,
});
checkEffect('containers.create.host-config.ulimits', 'Ulimits', {
  // An engine may add its own process limit where the request has none, and the host may refuse that one.
  value: [
    { Name: 'nofile', Soft: 512, Hard: 1024 },
    { Name: 'nproc', Soft: 4096, Hard: 8192 },
  ],
  run: ['read', '/proc/self/limits'],
  shows: /^Max open files\s+512\s+1024\b/m,
  together: true,
});

/** Has a volume with one file; other containers write theirs beside it. */
const volumeOwner = commonContainer('a container with a volume', {
  run: ['write', '/ec-volume/file', 'shared'],
  state: 'exited',
  config: { Volumes: { '/ec-volume': {} } },
});

/** How another container sees the volume mounted at `/ec-volume`. */
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
  { faults: [ignoresBodyField('HostConfig.PidMode'), takesBodyFieldAs('HostConfig.PidMode', 'host')] },
  async ({ engine, use }) => {
    const other = await use(idle);
    for (const form of [other.id, other.name]) {
      const { stdout, evidence } = await outputWith(engine, {
        run: ['pid', 'try', 'read', '/proc/1/cmdline'],
        hostConfig: { PidMode: `container:${form}` },
      });
      expectValue('the process id in the container', stdout, [evidence]).toMatch(/^(?!1 )\d+ /);
      // The steps of the other container, also where an init process starts it.
      expectValue('the command of the first process there', stdout, [evidence]).toContain('\0forever\0');
    }
  },
);

const port = '8099';

/**
 * Answers on a port of its own loopback, which is seen only by containers that share its network, and not by others on
 * the host's.
 */
const listening = commonContainer(
  'a running container that listens on its loopback',
  { run: ['out', 'ready\\n', 'listen', port], state: 'running', network: 'own' },
  'ready',
);

check(
  'containers.create.host-config.network-container',
  { faults: ['none', 'host'].map((mode) => takesBodyFieldAs('HostConfig.NetworkMode', mode)) },
  async (context) => {
    const { engine } = context;
    const other = await useCommon(context, listening);
    const connects = ['try', 'connect', '127.0.0.1', port];
    for (const form of [other.id, other.name]) {
      const { stdout, evidence } = await outputWith(engine, {
        // It reports that it is ready just before it listens.
        run: [...connects, 'sleep', '50', ...connects],
        hostConfig: { NetworkMode: `container:${form}` },
      });
      expectValue('what the container reads from the loopback of the other', stdout, [evidence]).toContain('probe\n');
    }
  },
);
