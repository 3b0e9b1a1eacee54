import { check, fixture } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { given } from '../../harness/engine/given.ts';
import { readOutput, saying } from '../../harness/engine/output.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { ignoresBodyField, swallows, takesBodyFieldAs } from '../../harness/faults/requests.ts';
import { NotApplicable } from '../../harness/verdict/outcomes.ts';
import { unlessDiscarded } from '../support/host-warnings.ts';
import { type FileRead, firstIn, reading } from './create/host-config-limits.ts';
import { afterRestarts } from './restart-policy.ts';

const memory = 64 * 1024 * 1024;

/** What update sets, with the cgroup v1 and v2 files that show each limit. */
const limits = [
  {
    Memory: memory,
    MemorySwap: 2 * memory,
    files: { 'memory/memory.limit_in_bytes': new RegExp(`^${memory}$`), 'memory.max': new RegExp(`^${memory}$`) },
  },
  {
    CpuPeriod: 50_000,
    CpuQuota: 25_000,
    files: { 'cpu/cpu.cfs_quota_us': /^25000$/, 'cpu.max': /^25000 / },
  },
] as const;

/** Starts the output for one limit; what the process reads from its control group follows, up to the next mark. */
const mark = 'limit:';
const steps = limits.flatMap(({ files }) => ['out', mark, ...reading(Object.keys(files))]);

/** A container that was updated while it ran, has then read its control group, and has ended with 1. */
const changed = fixture('a container that was updated while it ran', async ({ engine }) => {
  const container = await makeContainer(engine, {
    run: ['out', 'ready\\n', 'echo-line', ...steps, 'out', '\\nend\\n', 'exit', '1'],
    state: 'running',
    config: { OpenStdin: true },
  });
  await container.hasWritten('ready');
  const bodies = limits.map(({ files: _, ...body }) => body);
  const json = Object.assign({ RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 3 } }, ...bodies);
  const updated = await given(engine.post(container.path('update'), { json }), 200);
  const attach = await given(container.attach({ stream: true, stdin: true }), 101, 200);
  attach.write('go\n');
  await container.hasWritten('end');
  attach.drop();
  return { container, updated };
});

const forgets = swallows(200, '{"Warnings":[]}');

check(
  'containers.update.in-force',
  { faults: [forgets, takesBodyFieldAs('Memory', memory + 4096), ignoresBodyField('CpuQuota')] },
  async ({ use }) => {
    const { container, updated } = await use(changed);
    unlessDiscarded(updated);
    const { stdout, evidence } = await readOutput(container, { isWhole: saying('end') });
    const shown = stdout.split(mark).slice(1, 1 + limits.length);
    const found = limits.flatMap(({ files }, place) => {
      const read: FileRead | undefined = firstIn(shown[place] ?? '', Object.keys(files));
      return read ? [{ ...read, wanted: new Map<string, RegExp>(Object.entries(files)).get(read.path) }] : [];
    });
    if (found.length === 0)
      throw new NotApplicable('containers on this host do not see these limits in /sys/fs/cgroup');
    for (const { path, text, wanted } of found) {
      expectValue(path, text, [updated, evidence]).toMatch(wanted ?? /^$/);
    }
  },
);

check(
  'containers.update.restart-policy-followed',
  { faults: [forgets, ignoresBodyField('RestartPolicy')] },
  async ({ engine, use }) => {
    const { container } = await use(changed);
    expect(await afterRestarts(engine, container, 1))
      .field('RestartCount')
      .toBeAtLeast(1);
  },
);
