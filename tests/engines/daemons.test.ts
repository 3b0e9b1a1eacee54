import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentedVersions } from '../../specs/versions.ts';
import { DaemonClient } from './client.ts';
import { runCommand } from './command.ts';
import type { Daemon, Engine } from './daemon.ts';
import { dockerd } from './dockerd.ts';
import { makeForeign } from './foreign.ts';
import { type Inventory, takeInventory } from './inventory.ts';
import { podman } from './podman.ts';
import { blocked, counts, readReport } from './report.ts';

/** Where the reports are kept; unless it is named they go with the tests. */
const kept = process.env.ENGINE_REPORTS;
/** What generated tests find with other seeds is for soaks by hand: here a daemon is to be judged as the last time. */
const seed = '7';

for (const engine of [dockerd, podman]) describe(engine.name, () => judge(engine));

function judge(engine: Engine): void {
  const reason = engine.unavailable();
  if (reason !== undefined) {
    test('keeps the contract but for its baseline', ({ skip }) => skip(`${engine.name} cannot be had: ${reason}`));
    return;
  }

  let daemon: Daemon;
  let client: DaemonClient;
  let directory: string;
  let report: string;
  let before: Inventory;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'ec-run-'));
    report = kept === undefined ? directory : path.resolve(kept, engine.name);
    daemon = await engine.start();
    client = new DaemonClient(daemon.socket);
    if (engine === dockerd) await makeForeign(client);
    before = await takeInventory(client);
  });

  afterAll(async () => {
    await client?.close();
    await daemon?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  test('keeps the contract but for its baseline', async () => {
    const run = await runCommand(
      ['run', '--target', daemon.socket, '--baseline', engine.baseline, '--report', report, '--seed', seed],
      directory,
    );
    const judged = await readReport(report).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${run.output}`);
    });
    const verdicts = counts(judged);
    console.log(`${daemon.name} ${daemon.version}: ${run.durationMs} ms`);
    console.table(verdicts);
    for (const line of blocked(judged)) console.log(line);
    expect(run.status, run.output).toBe(0);
    expect(judged.end).toBe('complete');
    for (const version of documentedVersions)
      expect(verdicts[version]?.pass, `passes in ${version}`).toBeGreaterThan(0);
  });

  test('holds what it held before the run, and nothing else', async () => {
    expect(await takeInventory(client)).toEqual(before);
  });
}
