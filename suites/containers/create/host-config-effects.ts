import { type CheckContext, check, fixture } from '../../../harness/check.ts';
import { makeContainer } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { type ContainerOutput, outputWith, readOutput } from '../../../harness/engine/output.ts';
import { expectValue } from '../../../harness/expect/expect.ts';
import { alike, type Fault, on } from '../../../harness/faults/fault.ts';
import { ignoresBodyField, takesBodyFieldAs, takesFirstOf } from '../../../harness/faults/requests.ts';
import { changesFrames } from '../../../harness/faults/streams.ts';
import type { JsonValue } from '../../../harness/streams/json.ts';
import type { RuleId } from '../../../specs/catalogue.ts';
import { commonContainer, idle, useCommon } from '../../support/common-containers.ts';
import { besideById, besideByName, bridged, isolated, onHost } from '../support/created-together.ts';
import { givenInterface, givenNames, noGivenInterface } from '../support/interfaces.ts';
import type { ShownSetting, Together } from '../support/tried-together.ts';

interface Effect {
  readonly value: JsonValue;
  /** Steps of the probe whose output shows the effect. */
  readonly run: readonly string[];
  readonly shows: RegExp;
  /** The container that has it together with other settings. */
  readonly on?: Together;
  /** Values that hide the effect, for a field whose default shows it too. */
  readonly insteadOf?: readonly JsonValue[];
  /** Whether the value has several members, each of which shows. */
  readonly several?: true;
}

/** Matches a text that has something for each of the patterns, whose lines may have any order. */
function inAnyOrder(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(`^${patterns.map(({ source }) => `(?=[\\s\\S]*${source})`).join('')}`, 'm');
}

/** A field of HostConfig whose effect the process sees and reports in its output. */
function checkEffect(id: RuleId, field: string, { value, run, shows, insteadOf, several, on: column }: Effect): void {
  const path = `HostConfig.${field}`;
  const hidden = insteadOf?.map((other) => takesBodyFieldAs(path, other)) ?? [ignoresBodyField(path)];
  const faults = several ? [...hidden, takesFirstOf(path)] : hidden;
  const setting = { run, hostConfig: { [field]: value } };
  column?.add(id, setting);
  check(id, { faults }, async (context) => {
    const shown = await column?.outputOf(context, id, (text) => shows.test(text));
    const { stdout, evidence } = shown ?? (await outputWith(context.engine, setting));
    expectValue('the output of the container', stdout, [evidence]).toMatch(shows);
  });
}

checkEffect('containers.create.host-config.tmpfs', 'Tmpfs', {
  value: { '/ec-tmpfs': 'rw,size=8192k', '/ec-tmpfs-2': 'rw,size=4096k' },
  run: ['read', '/proc/self/mounts'],
  // Its source may have any name.
  shows: inAnyOrder(/^\S+ \/ec-tmpfs tmpfs rw\S*\bsize=8192k/, /^\S+ \/ec-tmpfs-2 tmpfs rw\S*\bsize=4096k/),
  several: true,
  on: bridged,
});
checkEffect('containers.create.host-config.oom-score-adj', 'OomScoreAdj', {
  value: 500,
  run: ['read', '/proc/self/oom_score_adj'],
  shows: /^500\n$/,
  on: bridged,
});
checkEffect('containers.create.host-config.pid-mode-empty', 'PidMode', {
  value: '',
  // An engine may run an init process before it, which has the command line, too.
  run: ['read', '/proc/1/cmdline'],
  shows: /read\0\/proc\/1\/cmdline/,
  insteadOf: ['host'],
  on: bridged,
});
/** A container that others with the process ids of the host see by the id of its process there. */
const seenOnHost = commonContainer(
  'a running container with the process ids of the host',
  // The process itself ignores the last argument; it is for those who look at the process from outside.
  { run: ['pid', 'forever', 'ec-seen-on-host'], state: 'running', hostConfig: { PidMode: 'host' } },
  ' ',
);

isolated.add('containers.create.host-config.pid-mode-host', async (context) => {
  const { stdout } = await readOutput(await useCommon(context, seenOnHost));
  const [pid] = stdout.split(' ');
  return { run: ['pid', 'try', 'read', `/proc/${pid}/cmdline`], hostConfig: { PidMode: 'host' } };
});

/** Neither process is the first, and one has seen the other. */
const seesOnHost = /^(?!1 )\d+ \d+\n[\s\S]*ec-seen-on-host/;

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
  async (context) => {
    const { engine } = context;
    const shown = await isolated.outputOf(context, 'containers.create.host-config.pid-mode-host', (text) =>
      seesOnHost.test(text),
    );
    if (shown) {
      expectValue('the process id, and the command of another', shown.stdout, [shown.evidence]).toMatch(seesOnHost);
      return;
    }
    const hostConfig = { PidMode: 'host' };
    const mark = engine.unusedName('container');
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

interface Capabilities {
  readonly bits: bigint;
  readonly evidence: Exchange;
}

const readsStatus = ['read', '/proc/self/status'];

/** The effective capabilities of the process that has read its status. */
function effectiveIn({ stdout, evidence }: Pick<ContainerOutput, 'stdout' | 'evidence'>): Capabilities {
  return { bits: BigInt(`0x${/^CapEff:\s+([0-9a-f]+)$/m.exec(stdout)?.[1] ?? '0'}`), evidence };
}

/** Bit 21 is CAP_SYS_ADMIN, which no engine grants by default. */
function sysAdmin({ bits }: Capabilities): number {
  return Number((bits >> 21n) & 1n);
}

/** Full access includes what the daemon can grant by name, which is less than all on some hosts. */
function hasAll(privileged: Capabilities, given: Capabilities): boolean {
  return sysAdmin(privileged) === 1 && (given.bits & ~privileged.bits) === 0n;
}

const privilegedRule = 'containers.create.host-config.privileged';
onHost.add(privilegedRule, { run: readsStatus, hostConfig: { Privileged: true } });
isolated.add(privilegedRule, { run: readsStatus, hostConfig: { CapAdd: wide } });

/** The capabilities with Privileged and with CapAdd. */
async function capabilitiesOfBoth(context: CheckContext): Promise<readonly [Capabilities, Capabilities]> {
  const shown = await Promise.all(
    [onHost, isolated].map((together) => together.outputOf(context, privilegedRule, () => true)),
  );
  const [privileged, given] = shown.map((output) => output && effectiveIn(output));
  if (privileged && given && hasAll(privileged, given)) return [privileged, given];
  const alone = async (hostConfig: Readonly<Record<string, unknown>>) =>
    effectiveIn(await outputWith(context.engine, { run: readsStatus, hostConfig }));
  return [await alone({ Privileged: true }), await alone({ CapAdd: wide })];
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
    slowToFail: true,
  },
  async (context) => {
    const [privileged, given] = await capabilitiesOfBoth(context);
    expectValue('bit 21 of CapEff', sysAdmin(privileged), [privileged.evidence]).toBe(1);
    expectValue('CapEff', privileged.bits.toString(16), [given.evidence, privileged.evidence]).toSatisfy(
      `all of ${given.bits.toString(16)}, which CapAdd gives`,
      () => hasAll(privileged, given),
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
  on: bridged,
});
checkEffect('containers.create.host-config.dns', 'Dns', {
  value: ['192.0.2.1', '192.0.2.3'],
  run: ['read', '/etc/resolv.conf'],
  shows: inAnyOrder(/^nameserver\s+192\.0\.2\.1\s*$/, /^nameserver\s+192\.0\.2\.3\s*$/),
  several: true,
  on: bridged,
});
checkEffect('containers.create.host-config.dns-options', 'DnsOptions', {
  value: ['timeout:3', 'attempts:4'],
  run: ['read', '/etc/resolv.conf'],
  shows: inAnyOrder(/^options\s.*\btimeout:3\b/, /^options\s.*\battempts:4\b/),
  several: true,
  on: bridged,
});
checkEffect('containers.create.host-config.dns-search', 'DnsSearch', {
  value: ['ec.example.test', 'more.example.test'],
  run: ['read', '/etc/resolv.conf'],
  shows: inAnyOrder(/^search\s.*\bec\.example\.test\b/, /^search\s.*\bmore\.example\.test\b/),
  several: true,
  on: bridged,
});
checkEffect('containers.create.host-config.extra-hosts', 'ExtraHosts', {
  value: ['ec-host:192.0.2.2', 'ec-other:192.0.2.4'],
  run: ['read', '/etc/hosts'],
  shows: inAnyOrder(/^192\.0\.2\.2\s.*\bec-host\b/, /^192\.0\.2\.4\s.*\bec-other\b/),
  several: true,
  on: bridged,
});
checkEffect('containers.create.host-config.cap-add', 'CapAdd', {
  value: ['NET_ADMIN'],
  run: ['read', '/proc/self/status'],
  // Bit 12 is CAP_NET_ADMIN.
  shows: /^CapBnd:\s+[0-9a-f]*[13579bdf][0-9a-f]{3}$/m,
  on: bridged,
});
checkEffect('containers.create.host-config.cap-drop', 'CapDrop', {
  value: ['CHOWN', 'KILL'],
  run: ['read', '/proc/self/status'],
  // Bit 0 is CAP_CHOWN, and bit 5 CAP_KILL.
  shows: /^CapBnd:\s+[0-9a-f]*[014589cd][02468ace]$/m,
  several: true,
  on: bridged,
});
checkEffect('containers.create.host-config.group-add', 'GroupAdd', {
  value: ['extra', 'probe'],
  run: ['id'],
  shows: inAnyOrder(/groups=(?:\d+,)*2000\b/, /groups=(?:\d+,)*1000\b/),
  several: true,
  on: bridged,
});
checkEffect('containers.create.host-config.network-none', 'NetworkMode', {
  value: 'none',
  run: ['read', '/proc/net/dev'],
  shows: noGivenInterface,
  insteadOf: ['bridge', 'host'],
  on: isolated,
});
checkEffect('containers.create.host-config.network-bridge', 'NetworkMode', {
  value: 'bridge',
  run: ['read', '/proc/net/dev'],
  shows: givenInterface,
  insteadOf: ['none'],
  on: bridged,
});
const ofHost = { run: ['list', '/sys/class/net'], hostConfig: { NetworkMode: 'host' } };
onHost.add('containers.create.host-config.network-host', ofHost);

check(
  'containers.create.host-config.network-host',
  { faults: ['none', 'bridge'].map((mode) => takesBodyFieldAs('HostConfig.NetworkMode', mode)) },
  async (context) => {
    const { engine } = context;
    const { hostConfig } = ofHost;
    const shown = await onHost.outputOf(context, 'containers.create.host-config.network-host', (text) => {
      return givenNames(text).length > 1;
    });
    const { stdout, evidence } = shown ?? (await outputWith(engine, ofHost));
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
  on: bridged,
});
checkEffect('containers.create.host-config.ulimits', 'Ulimits', {
  // An engine may add its own process limit where the request has none, and the host may refuse that one.
  value: [
    { Name: 'nofile', Soft: 512, Hard: 1024 },
    { Name: 'nproc', Soft: 4096, Hard: 8192 },
  ],
  run: ['read', '/proc/self/limits'],
  shows: inAnyOrder(/^Max open files\s+512\s+1024\b/, /^Max processes\s+4096\s+8192\b/),
  several: true,
  on: bridged,
});

/** Has a volume with one file; other containers write theirs beside it. */
const volumeOwner = commonContainer('a container with a volume', {
  run: ['write', '/ec-volume/file', 'shared'],
  state: 'exited',
  config: { Volumes: { '/ec-volume': {} } },
});

/** How another container sees the volume mounted at `/ec-volume`. */
async function sharedVolume({ use }: Pick<CheckContext, 'use'>, mode: string): Promise<ShownSetting> {
  const owner = await use(volumeOwner);
  return {
    run: ['try', 'read', '/ec-volume/file', 'try', 'write', '/ec-volume/other', 'x', 'out', ' done'],
    hostConfig: { VolumesFrom: [`${owner.name}${mode}`] },
  };
}

for (const [name, mode, output, column] of [
  ['volumes-from', '', 'shared done', bridged],
  ['volumes-from-rw', ':rw', 'shared done', isolated],
  ['volumes-from-ro', ':ro', 'sharederror 30\n done', onHost],
] as const) {
  const id = `containers.create.host-config.${name}` as const;
  column.add(id, (context) => sharedVolume(context, mode));
  check(id, { faults: [ignoresBodyField('HostConfig.VolumesFrom')] }, async (context) => {
    const shown = await column.outputOf(context, id, (text) => text === output);
    const { stdout, evidence } = shown ?? (await outputWith(context.engine, await sharedVolume(context, mode)));
    expectValue('what the second container reads and writes', stdout, [evidence]).toBe(output);
  });
}

/** A volume with a file; other containers write theirs beside it. */
async function makeVolume(engine: Engine): Promise<string> {
  const volume = engine.name('volume');
  await makeContainer(engine, {
    run: ['write', '/ec-volume/file', 'kept'],
    state: 'exited',
    hostConfig: { Binds: [`${volume}:/ec-volume`] },
  });
  return volume;
}

const keptVolume = fixture('a volume with a file', ({ engine }) => makeVolume(engine), { allVersions: (made) => made });

/** How another container sees the volume mounted elsewhere. */
function boundVolume(volume: string, place: string, options: string): ShownSetting {
  return {
    run: ['try', 'read', `${place}/file`, 'try', 'write', `${place}/more`, 'x'],
    hostConfig: { Binds: [`${volume}:${place}${options}`] },
  };
}

for (const [name, options, output] of [
  ['bind-volume', '', 'kept'],
  ['bind-volume-ro', ':ro', 'kepterror 30\n'],
] as const) {
  const id = `containers.create.host-config.${name}` as const;
  bridged.add(id, async ({ use }) => boundVolume(await use(keptVolume), `/ec-${name}`, options));
  check(id, { faults: [ignoresBodyField('HostConfig.Binds')] }, async (context) => {
    const { engine } = context;
    const shown = await bridged.outputOf(context, id, (text) => text === output);
    const { stdout, evidence } =
      shown ?? (await outputWith(engine, boundVolume(await makeVolume(engine), '/ec-other', options)));
    expectValue('what the second container reads and writes', stdout, [evidence]).toBe(output);
  });
}

/** The two ways to name another container, each with the container that tries it together with other settings. */
const forms = [
  ['id', besideById],
  ['name', besideByName],
] as const;

const besideIds = 'containers.create.host-config.pid-mode-container';

function withIdsOf(other: string): ShownSetting {
  return { run: ['pid', 'try', 'read', '/proc/1/cmdline'], hostConfig: { PidMode: `container:${other}` } };
}

for (const [form, column] of forms) column.add(besideIds, async ({ use }) => withIdsOf((await use(idle))[form]));

/** Another process than the first; the first has the steps of the other container, also where an init starts it. */
const isBesideFirst = (text: string) => /^(?!1 )\d+ /.test(text) && text.includes('\0forever\0');

check(
  besideIds,
  { faults: [ignoresBodyField('HostConfig.PidMode'), takesBodyFieldAs('HostConfig.PidMode', 'host')] },
  async (context) => {
    const other = await context.use(idle);
    for (const [form, column] of forms) {
      const shown = await column.outputOf(context, besideIds, isBesideFirst);
      const { stdout, evidence } = shown ?? (await outputWith(context.engine, withIdsOf(other[form])));
      expectValue('the process id in the container', stdout, [evidence]).toMatch(/^(?!1 )\d+ /);
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

const besideNetwork = 'containers.create.host-config.network-container';

function onNetworkOf(other: string): ShownSetting {
  const connects = ['try', 'connect', '127.0.0.1', port];
  // It reports that it is ready just before it listens.
  return { run: [...connects, 'sleep', '50', ...connects], hostConfig: { NetworkMode: `container:${other}` } };
}

for (const [form, column] of forms)
  column.add(besideNetwork, async ({ use }) => onNetworkOf((await use(listening))[form]));

check(
  besideNetwork,
  { faults: ['none', 'host'].map((mode) => takesBodyFieldAs('HostConfig.NetworkMode', mode)) },
  async (context) => {
    const other = await useCommon(context, listening);
    for (const [form, column] of forms) {
      const shown = await column.outputOf(context, besideNetwork, (text) => text.includes('probe\n'));
      const { stdout, evidence } = shown ?? (await outputWith(context.engine, onNetworkOf(other[form])));
      expectValue('what the container reads from the loopback of the other', stdout, [evidence]).toContain('probe\n');
    }
  },
);
