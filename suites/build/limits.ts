import { type CheckContext, check, type Fixture, fixture } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { given } from '../../harness/engine/given.ts';
import type { Query } from '../../harness/engine/query.ts';
import { expectValue, observe } from '../../harness/expect/expect.ts';
import { ignoresQuery, takesQueryAs } from '../../harness/faults/requests.ts';
import { NotApplicable } from '../../harness/verdict/outcomes.ts';
import type { RuleId } from '../../specs/catalogue.ts';
import { type HostLimit, unlessLacked } from '../support/host-warnings.ts';
import { ifRight, ifThere } from '../support/shared-results.ts';
import { buildOf, builds, escaped, expectFailure, hasFailed, isThere, outputOf, own, run } from './support/building.ts';

const mebibyte = 1024 * 1024;
const cgroup = '/sys/fs/cgroup/';

/** What a RUN reads of its control group. */
interface Read {
  readonly text: string;
  readonly answer: Exchange;
}

/** A limit and where it is seen: in cgroup v1 and v2, or at an absolute path. */
interface Limit {
  readonly query: Query;
  readonly files: readonly string[];
  /** What `/info` says of it. */
  readonly ofHost?: readonly HostLimit[];
}

/** Around what a RUN reads, and between its parts: the output of a build has texts of the engine, too. */
const marks = { begin: 'ec-read{', between: '|', end: '}ec-read' } as const;

/**
 * Builds with a RUN that reads files of its control group, those of one part after those of another. An engine gets a
 * second attempt: another rule judges that it builds, and podman was seen to kill one RUN in hundreds on a busy host.
 */
async function readParts(engine: Engine, parts: readonly (readonly string[])[], query: Query): Promise<Read[]> {
  const pathOf = (name: string) => (name.startsWith('/') ? name : cgroup + name);
  const reads = parts.map((files) => files.flatMap((name) => ['try', 'read', pathOf(name)]));
  const built = async () => {
    const made = own(engine);
    const [first = [], ...others] = reads;
    const between = others.flatMap((read) => ['out', escaped(marks.between), ...read]);
    const steps = ['out', escaped(marks.begin), ...first, ...between, 'out', `${escaped(marks.end)}\\n`];
    return { made, answer: await given(buildOf(engine, made, [run(...steps)], query), 200) };
  };
  const first = await built();
  const { made, answer } = hasFailed(first.answer) ? await built() : first;
  await isThere(engine, made.name, answer);
  const output = outputOf(answer);
  const begin = output.lastIndexOf(marks.begin) + marks.begin.length;
  const texts = output.slice(begin, output.lastIndexOf(marks.end)).split(marks.between);
  return texts.map((text) => ({ text: text.replace(/error \d+\n/g, '').trim(), answer }));
}

/** The same for a limit alone. */
async function readLimit(engine: Engine, { files, query }: Limit): Promise<Read> {
  const [read] = await readParts(engine, [files], query);
  if (!read?.text || read.text.startsWith('Name:'))
    throw new NotApplicable('a RUN does not see its control group on this host');
  return read;
}

/** Limits that builds have together, which saves a build for each; a build has one value of a limit. */
class LimitsTogether {
  readonly #limits: { readonly of: object; readonly limit: Limit }[] = [];
  readonly #read: Fixture<ReadonlyMap<object, Read>>;

  constructor(what: string) {
    this.#read = fixture(`what a RUN reads in a build with ${what}`, async ({ engine }) => {
      const query = Object.assign({}, ...this.#limits.map(({ limit }) => limit.query));
      const parts = this.#limits.map(({ limit }) => limit.files);
      const reads = await readParts(engine, parts, query);
      return new Map(this.#limits.flatMap(({ of }, place) => (reads[place] ? [[of, reads[place]] as const] : [])));
    });
  }

  add(limit: Limit): (context: Pick<CheckContext, 'use'>) => Promise<Read | undefined> {
    this.#limits.push({ of: limit, limit });
    return async ({ use }) => (await ifThere(use(this.#read)))?.get(limit);
  }
}

const some = new LimitsTogether('several limits');
const others = new LimitsTogether('other limits');

function checkLimit(
  id: RuleId,
  parameter: string,
  { shows, among = some, ...limit }: Limit & { readonly shows: RegExp; readonly among?: LimitsTogether },
): void {
  const together = among.add(limit);
  check(id, { faults: [ignoresQuery(parameter)] }, async (context) => {
    const shown = await together(context);
    // An unexpected text may be caused by another limit.
    const right = ifRight(
      shown,
      (read) => shows.test(read.text),
      'in a build with other limits',
      ({ answer }) => answer,
    );
    const { text, answer } = right ?? (await readLimit(context.engine, limit));
    if (!shows.test(text)) await unlessLacked(context, ...(limit.ofHost ?? []));
    expectValue('the limit that a RUN reads', text, [answer]).toMatch(shows);
  });
}

checkLimit('images.build.parameter.memory', 'memory', {
  query: { memory: 64 * mebibyte },
  files: ['memory/memory.limit_in_bytes', 'memory.max'],
  ofHost: ['MemoryLimit'],
  shows: /^67108864$/,
});
checkLimit('images.build.parameter.memswap-unlimited', 'memswap', {
  query: { memory: 64 * mebibyte, memswap: -1 },
  files: ['memory/memory.memsw.limit_in_bytes', 'memory.swap.max'],
  ofHost: ['MemoryLimit', 'SwapLimit'],
  shows: /^(?:\d{18,}|max)$/,
  among: others,
});

// Engines convert shares to a cgroup v2 weight in different ways; but more shares always mean more weight.
const weight = { files: ['cpu/cpu.shares', 'cpu.weight'] };
const light = { ...weight, query: { cpushares: 128 } };
const heavy = { ...weight, query: { cpushares: 4096 } };
const lightTogether = some.add(light);
const heavyTogether = others.add(heavy);

check('images.build.parameter.cpushares', { faults: [ignoresQuery('cpushares')] }, async (context) => {
  const isMore = (less?: Read, more?: Read) => Number(more?.text || Number.NaN) > Number(less?.text || Number.NaN);
  const shown = { less: await lightTogether(context), more: await heavyTogether(context) };
  const alone = async () => ({
    less: await readLimit(context.engine, light),
    more: await readLimit(context.engine, heavy),
  });
  const { less, more } =
    shown.less && shown.more && isMore(shown.less, shown.more) ? { less: shown.less, more: shown.more } : await alone();
  if (!isMore(less, more)) await unlessLacked(context);
  expectValue(
    'the weights that a RUN reads with 128 and with 4096 shares',
    [less.text, more.text],
    [less.answer, more.answer],
  ).toSatisfy('the second greater than the first', () => isMore(less, more));
});
checkLimit('images.build.parameter.cpusetcpus', 'cpusetcpus', {
  query: { cpusetcpus: '0' },
  // The cgroup v2 file shows the effective value even where nothing was set, and that of the host where a RUN sees the
  // groups of the host. Its status shows its own in any case.
  files: ['cpuset/cpuset.cpus', 'cpuset.cpus.effective', '/proc/self/status'],
  shows: /^0$|^Cpus_allowed_list:\s*0$/m,
});
checkLimit('images.build.parameter.cpuperiod', 'cpuperiod', {
  query: { cpuperiod: 50_000, cpuquota: 25_000 },
  files: ['cpu/cpu.cfs_period_us', 'cpu.max'],
  ofHost: ['CpuCfsPeriod'],
  shows: /^(?:\d+ )?50000$/,
});
checkLimit('images.build.parameter.cpuquota', 'cpuquota', {
  query: { cpuquota: 25_000 },
  files: ['cpu/cpu.cfs_quota_us', 'cpu.max'],
  ofHost: ['CpuCfsQuota'],
  shows: /^25000(?: \d+)?$/,
});

const limits = (memswap: number) => ({ memory: 64 * mebibyte, memswap });

// cgroup v1 counts memory and swap together, v2 counts swap alone.
checkLimit('images.build.parameter.memswap', 'memswap', {
  query: limits(96 * mebibyte),
  files: ['memory/memory.memsw.limit_in_bytes', 'memory.swap.max'],
  ofHost: ['MemoryLimit', 'SwapLimit'],
  shows: /^(?:100663296|33554432)$/,
});

check(
  'images.build.parameter.memswap-smaller-refused',
  { faults: [takesQueryAs('memswap', String(256 * mebibyte))] },
  async (context) => {
    const { engine } = context;
    const made = own(engine);
    await builds(engine, made, buildOf(engine, made, [run('exit', '0')], limits(128 * mebibyte)));
    const answer = await buildOf(engine, own(engine), [run('exit', '0')], limits(32 * mebibyte));
    if (!hasFailed(answer)) await unlessLacked(context, 'MemoryLimit', 'SwapLimit');
    expectFailure(answer);
  },
);

check('images.build.parameter.memswap-equal', { faults: [] }, async ({ engine }) => {
  const limits = { memory: 64 * mebibyte, memswap: 64 * mebibyte };
  const answer = await buildOf(engine, own(engine), [run('exit', '0')], limits);
  observe(hasFailed(answer) ? 'refuses it' : 'takes it', answer);
});

/** The size of /dev/shm in bytes, read by a RUN from its mounts. */
async function shmSize(engine: Engine, query: Query): Promise<{ size: number; answer: Exchange }> {
  const made = own(engine);
  const answer = await given(buildOf(engine, made, [run('read', '/proc/self/mounts')], query), 200);
  await isThere(engine, made.name, answer);
  const options = /\S+ \/dev\/shm tmpfs (\S+)/.exec(outputOf(answer))?.[1] ?? '';
  const [, size = '', unit = ''] = /(?:^|,)size=(\d+)([kmg]?)/i.exec(options) ?? [];
  return { size: Number(size || Number.NaN) * 1024 ** ['', 'k', 'm', 'g'].indexOf(unit.toLowerCase()), answer };
}

check('images.build.parameter.shmsize-size', { faults: [ignoresQuery('shmsize')] }, async ({ engine }) => {
  const { size, answer } = await shmSize(engine, { shmsize: 8 * mebibyte });
  expectValue('the size of /dev/shm', size, [answer]).toBe(8 * mebibyte);
});

check(
  'images.build.parameter.shmsize-default',
  { faults: [takesQueryAs('shmsize', String(8 * mebibyte))] },
  async ({ engine }) => {
    const { size, answer } = await shmSize(engine, {});
    // Interpretation `shmsize-zero`: 64 MB may be meant in either unit.
    expectValue('the size of /dev/shm', size, [answer]).toBeOneOf(64 * mebibyte, 64_000_000);
  },
);

check(
  'images.build.parameter.shmsize-negative-refused',
  { faults: [takesQueryAs('shmsize', String(8 * mebibyte))] },
  async ({ engine }) => {
    const made = own(engine);
    await builds(engine, made, buildOf(engine, made, [run('exit', '0')], { shmsize: 8 * mebibyte }));
    expectFailure(await buildOf(engine, own(engine), [run('exit', '0')], { shmsize: -1 }));
  },
);

check('images.build.parameter.shmsize-zero', { faults: [] }, async ({ engine }) => {
  const answer = await buildOf(engine, own(engine), [run('exit', '0')], { shmsize: 0 });
  observe(hasFailed(answer) ? 'refuses it' : 'takes it', answer);
});
