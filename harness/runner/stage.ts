import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cleanRun } from '../sandbox/clean.ts';
import { Journal } from '../sandbox/journal.ts';
import { loadProbe } from '../sandbox/probe-image.ts';
import { newRunId, Sandbox } from '../sandbox/sandbox.ts';
import { findCapabilities } from '../target/capabilities.ts';
import { identify } from '../target/identify.ts';
import type { Target } from '../target/target.ts';
import { undiciTransport } from '../transport/undici-transport.ts';
import type { RunOptions } from './options.ts';
import type { Plan } from './plan.ts';

/** A target made ready for checks, and the run's own files. */
export interface Stage {
  readonly target: Target;
  plan(mode: Plan['mode'], rules: readonly string[]): Plan;
  /** Removes what the run made on the target. @returns what could not be removed */
  clean(): Promise<readonly string[]>;
  /** Closes connections and deletes the run's temporary files. */
  close(): Promise<void>;
}

/**
 * Finds out what the target is and loads the probe image on it.
 * @throws TargetUnreachable when nothing answers there
 * @throws UsageError when the target serves none of the contract's versions
 */
export async function setStage(options: RunOptions): Promise<Stage> {
  const transport = undiciTransport(options.address);
  const directory = await mkdtemp(path.join(tmpdir(), 'engine-conformance-'));
  const close = async () => {
    await transport.close();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    const identified = await identify(transport, options.address, options.dialect, options.timeoutMs);
    const journal = new Journal(options.journalDirectory, newRunId(), options.address.text);
    const sandbox = new Sandbox(journal, options.image);
    const loaded = options.image === undefined ? await loadProbe(transport, identified, sandbox) : undefined;
    const target = await findCapabilities(transport, identified, sandbox, loaded);
    const clean = () => cleanRun(transport, target.serves, journal);
    return {
      target,
      clean,
      close,
      plan: (mode, rules) => ({
        mode,
        rules,
        target,
        apis: options.apis.filter((api) => target.serves.includes(api)),
        run: journal.run,
        image: sandbox.image,
        journalDirectory: options.journalDirectory,
        spillFile: path.join(directory, 'exchanges.ndjson'),
        secrets: options.secrets,
        timeoutMs: options.timeoutMs,
        seed: options.seed,
      }),
    };
  } catch (error) {
    await close();
    throw error;
  }
}
