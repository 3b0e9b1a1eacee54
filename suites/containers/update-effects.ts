import { check, type FixtureContext, fixture } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import { given } from '../../harness/engine/given.ts';
import { readOutput, saying } from '../../harness/engine/output.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { ignoresBodyField, swallows, takesBodyFieldAs } from '../../harness/faults/requests.ts';
import { NotApplicable } from '../../harness/verdict/outcomes.ts';
import { unlessDiscarded, unlessLacked } from '../support/host-warnings.ts';
import { ifThere } from '../support/shared-results.ts';
import { type FileRead, firstIn, reading } from './create/host-config-limits.ts';
import { afterRestarts } from './restart-policy.ts';

const memory = 64 * 1024 * 1024;

/** What update sets, with what `/info` says of each limit, and the cgroup v1 and v2 files that show it. */
const limits = [
  {
    Memory: memory,
    MemorySwap: 2 * memory,
    ofHost: ['MemoryLimit', 'SwapLimit'],
    files: { 'memory/memory.limit_in_bytes': new RegExp(`^${memory}$`), 'memory.max': new RegExp(`^${memory}$`) },
  },
  {
    CpuPeriod: 50_000,
    CpuQuota: 25_000,
    ofHost: ['CpuCfsPeriod', 'CpuCfsQuota'],
    files: { 'cpu/cpu.cfs_quota_us': /^25000$/, 'cpu.max': /^25000 / },
  },
  // Engines convert shares to a weight of cgroup v2 in different ways.
  { CpuShares: 512, ofHost: [], files: { 'cpu/cpu.shares': /^512$/ } },
] as const;

/** Starts the output for one limit; what the process reads from its control group follows, up to the next mark. */
const mark = 'limit:';
const steps = limits.flatMap(({ files }) => ['out', mark, ...reading(Object.keys(files))]);

const restarting = { RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 3 } };

/** A container that was updated while it ran, has then done what it is told, and has ended with 1. */
async function updatedWhileRunning(context: FixtureContext, json: object, ...run: readonly string[]) {
  const { engine } = context;
  const container = await makeContainer(engine, {
    run: ['out', 'ready\\n', 'echo-line', ...run, 'out', '\\nend\\n', 'exit', '1'],
    state: 'running',
    config: { OpenStdin: true },
  });
  await container.hasWritten('ready');
  const answer = await engine.post(container.path('update'), { json });
  if (answer.status !== 200) await unlessLacked(context, ...limits.flatMap(({ ofHost }) => ofHost));
  const updated = await given(Promise.resolve(answer), 200);
  const attach = await given(container.attach({ stream: true, stdin: true }), 101, 200);
  attach.write('go\n');
  await container.hasWritten('end');
  attach.drop();
  return { container, updated };
}

const changed = fixture('a container that was updated while it ran', (context) => {
  const bodies = limits.map(({ files: _, ofHost: __, ...body }) => body);
  return updatedWhileRunning(context, Object.assign({}, restarting, ...bodies), ...steps);
});

const forgets = swallows(200, '{"Warnings":[]}');

check(
  'containers.update.in-force',
  {
    faults: [
      forgets,
      takesBodyFieldAs('Memory', memory + 4096),
      ignoresBodyField('CpuQuota'),
      ignoresBodyField('CpuShares'),
    ],
  },
  async (context) => {
    const { container, updated } = await context.use(changed);
    unlessDiscarded(updated);
    const { stdout, evidence } = await readOutput(container, { isWhole: saying('end') });
    const shown = stdout.split(mark).slice(1, 1 + limits.length);
    const found = limits.flatMap(({ files, ofHost }, place) => {
      const read: FileRead | undefined = firstIn(shown[place] ?? '', Object.keys(files));
      return read ? [{ ...read, ofHost, wanted: new Map<string, RegExp>(Object.entries(files)).get(read.path) }] : [];
    });
    if (found.length === 0)
      throw new NotApplicable('containers on this host do not see these limits in /sys/fs/cgroup');
    for (const { path, text, wanted, ofHost } of found) {
      if (wanted?.test(text) !== true) await unlessLacked(context, ...ofHost);
      expectValue(path, text, [updated, evidence]).toMatch(wanted ?? /^$/);
    }
  },
);

check(
  'containers.update.restart-policy-followed',
  { faults: [forgets, ignoresBodyField('RestartPolicy')], slowToFail: true },
  async (context) => {
    // A host without these limits may refuse them all.
    const { container } = (await ifThere(context.use(changed))) ?? (await updatedWhileRunning(context, restarting));
    expect(await afterRestarts(context.engine, container, 1))
      .field('RestartCount')
      .toBeAtLeast(1);
  },
);
