import { isDeepStrictEqual } from 'node:util';
import { type CheckContext, check, fixture } from '../../../harness/check.ts';
import { Container } from '../../../harness/engine/container.ts';
import { create, createBody } from '../../../harness/engine/containers.ts';
import type { Engine } from '../../../harness/engine/engine.ts';
import type { Exchange } from '../../../harness/engine/exchange.ts';
import { given } from '../../../harness/engine/given.ts';
import { readOutput } from '../../../harness/engine/output.ts';
import { expect, expectValue } from '../../../harness/expect/expect.ts';
import type { Fault } from '../../../harness/faults/fault.ts';
import { changesBodyField, ignoresBodyField, takesBodyFieldAs } from '../../../harness/faults/requests.ts';
import { NotApplicable } from '../../../harness/verdict/outcomes.ts';
import type { RuleId } from '../../../specs/catalogue.ts';
import { type HostLimit, unlessDiscarded, unlessLacked } from '../../support/host-warnings.ts';
import { ifRight, ifThere } from '../../support/shared-results.ts';
import { cpusIn } from '../support/cpu-list.ts';
import { bridged, isolated, onHost } from '../support/created-together.ts';
import { Together, withOtherSettings } from '../support/tried-together.ts';

const mebibyte = 1024 * 1024;

interface Limit {
  readonly hostConfig: Readonly<Record<string, unknown>>;
  /** The field under test; others stand beside it because it needs them. */
  readonly field: string;
  /** Files below /sys/fs/cgroup that show it, in cgroup v1 and v2. */
  readonly files: Readonly<Record<string, RegExp>>;
  /** What `/info` says of it. */
  readonly ofHost: readonly HostLimit[];
}

/** What a file of the container's control group holds, as its process reads it. */
export interface FileRead {
  readonly path: string;
  readonly text: string;
}

type LimitRead = FileRead & { readonly evidence: Exchange };

/** Steps of the probe that read those of the files that exist. */
export function reading(paths: readonly string[]): string[] {
  return paths.flatMap((path) => ['try', 'read', `/sys/fs/cgroup/${path}`, 'out', '|']);
}

/** The first of the files that exists, in the output of `reading`; undefined when none does. */
export function firstIn(stdout: string, paths: readonly string[]): FileRead | undefined {
  const texts = stdout.split('|').map((text) => text.trim());
  const there = texts.findIndex((text) => text !== '' && !text.startsWith('error '));
  const path = paths[there];
  return path === undefined ? undefined : { path, text: texts[there] ?? '' };
}

/** Reads the first of the files that exists. @throws NotApplicable when the host has none of them, or no such limit */
async function readLimit(
  engine: Engine,
  hostConfig: Limit['hostConfig'],
  paths: readonly string[],
): Promise<LimitRead> {
  const run = reading(paths);
  const name = engine.name('container');
  const created = await create(engine, createBody(engine, { run, hostConfig, network: 'any' }), { name });
  expect(created).toHaveStatus(201);
  unlessDiscarded(created);
  const container = new Container(engine, name, name);
  await given(container.start(), 204);
  await container.hasEnded();
  const { stdout, evidence } = await readOutput(container);
  const found = firstIn(stdout, paths);
  if (!found) throw new NotApplicable('containers on this host do not see this limit in /sys/fs/cgroup');
  return { ...found, evidence };
}

const together = new Together('several limits', { network: 'any' });

/** What a limit is with a setting: as a container shows it that has others as well, or else on one of its own. */
async function limitWith(
  context: CheckContext,
  id: RuleId,
  { column, hostConfig, paths, shows }: Shared,
): Promise<LimitRead> {
  const foundIn = (stdout: string) => firstIn(stdout, paths);
  const shown = await column.outputOf(context, id, (stdout) => {
    const found = foundIn(stdout);
    return found !== undefined && shows(found);
  });
  const found = shown && foundIn(shown.stdout);
  return found ? { ...found, evidence: shown.evidence } : readLimit(context.engine, hostConfig, paths);
}

/** A limit that a container has among others. */
interface Shared {
  readonly column: Together;
  readonly hostConfig: Limit['hostConfig'];
  readonly paths: readonly string[];
  /** Whether what the container reads is as it should be. */
  readonly shows: (found: FileRead) => boolean;
}

/** A limit is in force when the control group of the process has it. */
function checkLimit(id: RuleId, { hostConfig, field, files, ofHost }: Limit): void {
  const paths = Object.keys(files);
  const inForce = ({ path, text }: FileRead) => files[path]?.test(text) === true;
  together.add(id, { run: reading(paths), hostConfig });
  check(id, { faults: [ignoresBodyField(`HostConfig.${field}`)] }, async (context) => {
    const found = await limitWith(context, id, { column: together, hostConfig, paths, shows: inForce });
    if (!inForce(found)) await unlessLacked(context, ...ofHost);
    const { path, text, evidence } = found;
    expectValue(path, text, [evidence]).toMatch(files[path] ?? /^$/);
  });
}

const memory = 64 * mebibyte;

checkLimit('containers.create.host-config.memory', {
  hostConfig: { Memory: memory },
  field: 'Memory',
  ofHost: ['MemoryLimit'],
  files: {
    'memory/memory.limit_in_bytes': new RegExp(`^${memory}$`),
    'memory.max': new RegExp(`^${memory}$`),
  },
});
checkLimit('containers.create.host-config.memory-swap', {
  hostConfig: { Memory: memory, MemorySwap: 3 * memory },
  field: 'MemorySwap',
  ofHost: ['MemoryLimit', 'SwapLimit'],
  files: {
    'memory/memory.memsw.limit_in_bytes': new RegExp(`^${3 * memory}$`),
    // cgroup v2 counts swap on its own.
    'memory.swap.max': new RegExp(`^${2 * memory}$`),
  },
});
checkLimit('containers.create.host-config.memory-reservation', {
  hostConfig: { Memory: memory, MemoryReservation: memory / 2 },
  field: 'MemoryReservation',
  ofHost: ['MemoryLimit'],
  files: {
    'memory/memory.soft_limit_in_bytes': new RegExp(`^${memory / 2}$`),
    'memory.low': new RegExp(`^${memory / 2}$`),
  },
});
checkLimit('containers.create.host-config.cpu-period', {
  hostConfig: { CpuPeriod: 50_000, CpuQuota: 25_000 },
  field: 'CpuPeriod',
  ofHost: ['CpuCfsPeriod'],
  files: {
    'cpu/cpu.cfs_period_us': /^50000$/,
    'cpu.max': /^\d+ 50000$/,
  },
});
checkLimit('containers.create.host-config.cpu-quota', {
  hostConfig: { CpuQuota: 25_000 },
  field: 'CpuQuota',
  ofHost: ['CpuCfsQuota'],
  files: {
    'cpu/cpu.cfs_quota_us': /^25000$/,
    'cpu.max': /^25000 /,
  },
});
checkLimit('containers.create.host-config.pids-limit', {
  hostConfig: { PidsLimit: 7 },
  field: 'PidsLimit',
  ofHost: ['PidsLimit'],
  files: {
    'pids/pids.max': /^7$/,
    'pids.max': /^7$/,
  },
});

const unlimited = 'containers.create.host-config.pids-limit-unlimited';
const noPidsLimit = { hostConfig: { PidsLimit: -1 }, paths: ['pids/pids.max', 'pids.max'] };
isolated.add(unlimited, { run: reading(noPidsLimit.paths), hostConfig: noPidsLimit.hostConfig });

check(unlimited, { faults: [takesBodyFieldAs('HostConfig.PidsLimit', 2048)] }, async (context) => {
  const shows = ({ text }: FileRead) => text === 'max';
  const found = await limitWith(context, unlimited, { column: isolated, ...noPidsLimit, shows });
  if (!shows(found)) await unlessLacked(context, 'PidsLimit');
  const { path, text, evidence } = found;
  expectValue(path, text, [evidence]).toBe('max');
});

const unlimitedSwap = 'containers.create.host-config.memory-swap-unlimited';
const noSwapLimit = {
  hostConfig: { Memory: memory, MemorySwap: -1 },
  paths: ['memory/memory.memsw.limit_in_bytes', 'memory.swap.max'],
};
isolated.add(unlimitedSwap, { run: reading(noSwapLimit.paths), hostConfig: noSwapLimit.hostConfig });

/** Control groups of v1 have no word for it, but the largest number of whole pages. */
function isUnlimited({ text }: FileRead): boolean {
  return text === 'max' || (/^\d+$/.test(text) && BigInt(text) >= 2n ** 60n);
}

const swapFaults = [
  takesBodyFieldAs('HostConfig.MemorySwap', 2 * memory),
  ignoresBodyField('HostConfig.MemorySwap'),
] as const;

check(unlimitedSwap, { faults: swapFaults }, async (context) => {
  const shared = { column: isolated, ...noSwapLimit, shows: isUnlimited };
  const found = await limitWith(context, unlimitedSwap, shared);
  if (!isUnlimited(found)) await unlessLacked(context, 'MemoryLimit', 'SwapLimit');
  const { path, text, evidence } = found;
  expectValue(path, text, [evidence]).toSatisfy('max, or no less than 2^60', () => isUnlimited({ path, text }));
});

/** Takes one form of CpusetCpus for another, and leaves other values as they are. */
function readsCpusAs(name: string, form: RegExp, as: string): Fault {
  return changesBodyField(name, 'HostConfig.CpusetCpus', (value) =>
    typeof value === 'string' ? value.replace(form, as) : value,
  );
}

const cpuset = 'containers.create.host-config.cpuset-cpus';
const cpusetPaths = ['cpuset/cpuset.cpus', 'cpuset.cpus.effective'];

async function cpusWithoutLimit(engine: Engine): Promise<readonly number[]> {
  return cpusIn((await readLimit(engine, {}, cpusetPaths)).text);
}

const hostCpus = fixture('the CPUs of a container without a limit', ({ engine }) => cpusWithoutLimit(engine), {
  allVersions: (made) => made,
});

/** The forms of CpusetCpus, and the CPUs that each means. */
function cpusetForms([first, second]: readonly number[]) {
  // A host with one CPU cannot show that the container is limited to some.
  if (first === undefined || second === undefined) throw new NotApplicable('containers on this host have one CPU');
  return {
    one: { CpusetCpus: `${first}`, cpus: [first] },
    range: { CpusetCpus: `${first}-${first}`, cpus: [first] },
    list: { CpusetCpus: `${first},${second}`, cpus: [first, second] },
  };
}

/** The containers that try the forms with other settings. */
const cpusetColumns = [
  ['one', bridged],
  ['range', isolated],
  ['list', onHost],
] as const;

for (const [form, column] of cpusetColumns) {
  column.add(cpuset, async ({ use }) => {
    const { CpusetCpus } = cpusetForms(await use(hostCpus))[form];
    return { run: reading(cpusetPaths), hostConfig: { CpusetCpus } };
  });
}

check(
  cpuset,
  {
    faults: [
      ignoresBodyField('HostConfig.CpusetCpus'),
      readsCpusAs('ignores a CpusetCpus that is a range', /^\d+-\d+$/, ''),
      readsCpusAs('takes the first of a list in CpusetCpus', /^(\d+),.*$/, '$1'),
    ],
  },
  async (context) => {
    const all = (await ifThere(context.use(hostCpus))) ?? (await cpusWithoutLimit(context.engine));
    for (const [form, column] of cpusetColumns) {
      const { CpusetCpus, cpus } = cpusetForms(all)[form];
      const shows = (found: FileRead) => isDeepStrictEqual(cpusIn(found.text), cpus);
      const shared = { column, hostConfig: { CpusetCpus }, paths: cpusetPaths, shows };
      const found = await limitWith(context, cpuset, shared);
      if (!shows(found)) await unlessLacked(context);
      const { path, text, evidence } = found;
      expectValue(`the CPUs of ${path} with ${CpusetCpus}`, cpusIn(text), [evidence]).toBe(cpus);
    }
  },
);

const shares = 'containers.create.host-config.cpu-shares';
// Engines convert shares to a cgroup v2 weight in different ways; but more shares always mean more weight.
const sharesPaths = ['cpu/cpu.shares', 'cpu.weight'];
const few = { CpuShares: 128 };
const many = { CpuShares: 4096 };
bridged.add(shares, { run: reading(sharesPaths), hostConfig: few });
isolated.add(shares, { run: reading(sharesPaths), hostConfig: many });

function weighsMore([few, many]: readonly [LimitRead, LimitRead]): boolean {
  return Number(many.text) > Number(few.text);
}

/** The weights with few and with many shares. */
async function weights(context: CheckContext): Promise<readonly [LimitRead, LimitRead]> {
  const outputs = await Promise.all([bridged, isolated].map((column) => column.outputOf(context, shares, () => true)));
  const [less, more] = outputs.map((output) => {
    const found = output && firstIn(output.stdout, sharesPaths);
    return found && { ...found, evidence: output.evidence };
  });
  const shown = less && more ? ([less, more] as const) : undefined;
  const both = ifRight(shown, weighsMore, withOtherSettings, ([, { evidence }]) => evidence);
  return (
    both ?? [await readLimit(context.engine, few, sharesPaths), await readLimit(context.engine, many, sharesPaths)]
  );
}

check(shares, { faults: [ignoresBodyField('HostConfig.CpuShares')] }, async (context) => {
  const [less, more] = await weights(context);
  if (!weighsMore([less, more])) await unlessLacked(context);
  const label = `${less.path} with 128 and with 4096 shares`;
  expectValue(label, [less.text, more.text], [less.evidence, more.evidence]).toSatisfy(
    'the second greater than the first',
    () => weighsMore([less, more]),
  );
});
