import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lookUntil } from '../../harness/engine/look-until.ts';
import { DaemonClient } from './client.ts';
import { type Command, runCommand, startCommand } from './command.ts';
import type { Daemon } from './daemon.ts';
import { dockerd } from './dockerd.ts';
import { makeForeign } from './foreign.ts';
import { type Inventory, takeInventory } from './inventory.ts';
import { readReport } from './report.ts';

const runLabel = 'com.engine-conformance.run';
const reason = dockerd.unavailable();

/** That a whole run touches nothing, the tests of whole runs show, among such things as here. */
describe('what was on a daemon before a run', () => {
  if (reason !== undefined) {
    test('is untouched', ({ skip }) => skip(`dockerd cannot be had: ${reason}`));
    return;
  }

  let daemon: Daemon;
  let client: DaemonClient;
  let before: Inventory;
  let directory: string;

  beforeAll(async () => {
    daemon = await dockerd.start();
    client = new DaemonClient(daemon.socket);
    await makeForeign(client);
    before = await takeInventory(client);
  });

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'ec-run-'));
  });

  afterEach(() => rm(directory, { recursive: true, force: true }));

  afterAll(async () => {
    await client?.close();
    await daemon?.stop();
  });

  /** Starts a run and waits until containers of it are on the daemon. */
  async function startRun(): Promise<Command> {
    const run = startCommand(['run', '--target', daemon.socket, '--report', directory], directory);
    await untilContainersOfRun(client, run);
    return run;
  }

  test('is untouched by a run that Ctrl-C ends, and nothing else is left', async () => {
    const run = await startRun();
    run.process.kill('SIGINT');
    const { status, output } = await run.ended;
    expect(status, output).toBe(130);
    const report = await readReport(directory);
    expect(report.end).toBe('interrupted');
    expect(report.left).toEqual([]);
    expect(await takeInventory(client)).toEqual(before);
  });

  test('is untouched by a run that was killed, and `clean` removes the rest', async () => {
    const run = await startRun();
    run.process.kill('SIGKILL');
    expect((await run.ended).signal).toBe('SIGKILL');
    const left = await takeInventory(client);
    expect(left).toMatchObject(before);
    expect(Object.keys(left).length).toBeGreaterThan(Object.keys(before).length);

    const clean = await runCommand(['clean', '--target', daemon.socket], directory);
    expect(clean.status, clean.output).toBe(0);
    expect(await takeInventory(client)).toEqual(before);
  });
});

async function untilContainersOfRun(client: DaemonClient, run: Command): Promise<void> {
  const filters = encodeURIComponent(JSON.stringify({ label: [runLabel] }));
  const containers = await lookUntil(
    () => client.list(`/v1.41/containers/json?all=1&filters=${filters}`),
    (seen) => seen.length >= 3 || run.process.exitCode !== null,
    Number.POSITIVE_INFINITY,
  );
  if (containers.length >= 3) return;
  throw new Error(`the run ended before three of its containers were seen: ${(await run.ended).output}`);
}
