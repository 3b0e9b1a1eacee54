import { cleanRun } from '../sandbox/clean.ts';
import { type Foreign, guarded, listForeign } from '../sandbox/foreign.ts';
import { Journal } from '../sandbox/journal.ts';
import { loadProbe } from '../sandbox/probe-image.ts';
import { makeRunDirectory, removeRunDirectory, spillFileIn } from '../sandbox/run-directory.ts';
import { newRunId, Sandbox } from '../sandbox/sandbox.ts';
import { findCapabilities } from '../target/capabilities.ts';
import { identify } from '../target/identify.ts';
import type { Target } from '../target/target.ts';
import { TransportError } from '../transport/errors.ts';
import { undiciTransport } from '../transport/undici-transport.ts';
import type { Transport } from '../transport/wire.ts';
import type { RunOptions } from './options.ts';
import type { Plan } from './plan.ts';

/** Bound of each exchange of the clean-up on a target that does not answer any more. */
const lostCleanMs = 5_000;

/** A target made ready for checks, and the run's own files. */
export interface Stage {
  readonly target: Target;
  plan(mode: Plan['mode'], rules: readonly string[]): Plan;
  /**
   * Removes what the run made on the target.
   * @param targetLost the target is gone as it seems, so it is not waited for long
   * @returns what could not be removed
   */
  clean(targetLost?: boolean): Promise<readonly string[]>;
  /** Closes connections and deletes the run's temporary files. */
  close(): Promise<void>;
}

/**
 * Finds out what the target is and loads the probe image on it.
 * @throws TargetUnreachable when nothing answers there
 * @throws UsageError when the target serves none of the contract's versions
 */
export async function setStage(options: RunOptions): Promise<Stage> {
  const wire = undiciTransport(options.address);
  const directory = makeRunDirectory();
  const close = async () => {
    await wire.close();
    removeRunDirectory(directory);
  };
  try {
    const identified = await identify(wire, options.address, options.dialect, options.timeoutMs);
    const foreign = await foreignOn(wire, identified, options.timeoutMs);
    const transport = guarded(wire, foreign);
    const journal = new Journal(options.journalDirectory, newRunId());
    journal.begin({ address: options.address.text, directory });
    const clean = (lost = false) =>
      cleanRun(transport, identified.serves, journal, lost ? { boundMs: lostCleanMs } : {});
    const sandbox = new Sandbox(journal, options.image);
    const target = await equipped(transport, identified, sandbox, options).catch(async (error: unknown) => {
      await clean(true);
      throw error;
    });
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
        foreign,
        image: sandbox.image,
        journalDirectory: options.journalDirectory,
        spillFile: spillFileIn(directory),
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

/** A daemon that does not list what it has is still judged; then only the run's own names protect what was there. */
async function foreignOn(transport: Transport, { serves }: Target, boundMs: number): Promise<Foreign> {
  const api = serves.at(-1) ?? '1.20';
  return listForeign({ transport, api, boundMs }).catch((error: unknown) => {
    if (error instanceof TransportError) return { container: [], image: [], volume: [], network: [] };
    throw error;
  });
}

async function equipped(
  transport: Transport,
  identified: Target,
  sandbox: Sandbox,
  { image }: RunOptions,
): Promise<Target> {
  const withoutProbe = image === undefined ? await loadProbe(transport, identified, sandbox) : undefined;
  return findCapabilities(transport, identified, sandbox, withoutProbe);
}
