import { check } from '../../harness/check.ts';
import type { Engine } from '../../harness/engine/engine.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { given } from '../../harness/engine/given.ts';
import type { Query } from '../../harness/engine/query.ts';
import { expectValue, observe } from '../../harness/expect/expect.ts';
import { ignoresQuery, takesQueryAs } from '../../harness/faults/requests.ts';
import { NotApplicable } from '../../harness/verdict/outcomes.ts';
import type { RuleId } from '../../specs/catalogue.ts';
import { buildOf, builds, expectFailure, hasFailed, isThere, outputOf, own, run } from './support/building.ts';

const mebibyte = 1024 * 1024;
const cgroup = '/sys/fs/cgroup/';

/** What a RUN reads from a file of its control group, in cgroup v1 or v2. */
async function readLimit(
  engine: Engine,
  files: readonly string[],
  query: Query,
): Promise<{ text: string; answer: Exchange }> {
  const reads = files.flatMap((name) => ['try', 'read', cgroup + name]);
  const built = async () => {
    const made = own(engine);
    // The marks are escaped, so that they do not occur in the instruction itself.
    const instruction = run('out', '\\x5b', ...reads, 'out', '\\x5d\\n');
    return { made, answer: await given(buildOf(engine, made, [instruction], query), 200) };
  };
  const first = await built();
  // Another rule judges that it builds, and podman was seen to kill one RUN in hundreds on a busy host.
  const { made, answer } = hasFailed(first.answer) ? await built() : first;
  await isThere(engine, made.name);
  const output = outputOf(answer);
  const read = output.slice(output.lastIndexOf('[') + 1, output.lastIndexOf(']'));
  const text = read.replace(/error \d+\n/g, '').trim();
  if (text === '') throw new NotApplicable('a RUN does not see its control group on this host');
  return { text, answer };
}

interface Limit {
  readonly query: Query;
  /** Files of cgroup v1 and v2 that show it. */
  readonly files: readonly string[];
  readonly shows: RegExp;
}

function checkLimit(id: RuleId, parameter: string, { query, files, shows }: Limit): void {
  check(id, { faults: [ignoresQuery(parameter)] }, async ({ engine }) => {
    const { text, answer } = await readLimit(engine, files, query);
    expectValue('the limit that a RUN reads', text, [answer]).toMatch(shows);
  });
}

checkLimit('images.build.parameter.memory', 'memory', {
  query: { memory: 64 * mebibyte },
  files: ['memory/memory.limit_in_bytes', 'memory.max'],
  shows: /^67108864$/,
});
checkLimit('images.build.parameter.memswap-unlimited', 'memswap', {
  query: { memory: 64 * mebibyte, memswap: -1 },
  files: ['memory/memory.memsw.limit_in_bytes', 'memory.swap.max'],
  shows: /^(?:\d{18,}|max)$/,
});
check('images.build.parameter.cpushares', { faults: [ignoresQuery('cpushares')] }, async ({ engine }) => {
  // Engines convert shares to a cgroup v2 weight in different ways; but more shares always mean more weight.
  const paths = ['cpu/cpu.shares', 'cpu.weight'];
  const less = await readLimit(engine, paths, { cpushares: 128 });
  const more = await readLimit(engine, paths, { cpushares: 4096 });
  const weights = [less.text, more.text];
  expectValue('the weights that a RUN reads with 128 and with 4096 shares', weights, [
    less.answer,
    more.answer,
  ]).toSatisfy('the second greater than the first', () => Number(more.text) > Number(less.text));
});
checkLimit('images.build.parameter.cpusetcpus', 'cpusetcpus', {
  query: { cpusetcpus: '0' },
  // The cgroup v2 file shows the effective value even where nothing was set.
  files: ['cpuset/cpuset.cpus', 'cpuset.cpus.effective'],
  shows: /^0$/,
});
checkLimit('images.build.parameter.cpuperiod', 'cpuperiod', {
  query: { cpuperiod: 50_000, cpuquota: 25_000 },
  files: ['cpu/cpu.cfs_period_us', 'cpu.max'],
  shows: /^(?:\d+ )?50000$/,
});
checkLimit('images.build.parameter.cpuquota', 'cpuquota', {
  query: { cpuquota: 25_000 },
  files: ['cpu/cpu.cfs_quota_us', 'cpu.max'],
  shows: /^25000(?: \d+)?$/,
});

const limits = (memswap: number) => ({ memory: 64 * mebibyte, memswap });

// cgroup v1 counts memory and swap together, v2 counts swap alone.
checkLimit('images.build.parameter.memswap', 'memswap', {
  query: limits(96 * mebibyte),
  files: ['memory/memory.memsw.limit_in_bytes', 'memory.swap.max'],
  shows: /^(?:100663296|33554432)$/,
});

check(
  'images.build.parameter.memswap-smaller-refused',
  { faults: [takesQueryAs('memswap', String(256 * mebibyte))] },
  async ({ engine }) => {
    const made = own(engine);
    await builds(engine, made, buildOf(engine, made, [run('exit', '0')], limits(128 * mebibyte)));
    expectFailure(await buildOf(engine, own(engine), [run('exit', '0')], limits(32 * mebibyte)));
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
  await isThere(engine, made.name);
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
