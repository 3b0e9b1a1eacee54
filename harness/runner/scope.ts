import type { Engine } from '../engine/engine.ts';
import type { Recorder } from '../recording/recorder.ts';
import type { MadeThing } from '../sandbox/ownership.ts';
import { removeMade } from '../sandbox/remove.ts';
import type { TokenClient } from '../token/token-client.ts';
import { TransportError } from '../transport/errors.ts';
import type { Transport } from '../transport/wire.ts';

/** The lifetime of one check or fixture on the daemon. */
export class Scope {
  readonly engine: Engine;
  readonly #recorder: Pick<Recorder, 'finish'>;
  readonly #tokens: TokenClient | undefined;

  constructor(engine: Engine, recorder: Pick<Recorder, 'finish'>, tokens?: TokenClient) {
    this.engine = engine;
    this.#recorder = recorder;
    this.#tokens = tokens;
  }

  /** @throws when there is no token server: its rules are then not judged */
  get tokens(): TokenClient {
    if (!this.#tokens) throw new Error('the run has no token server');
    return this.#tokens;
  }

  /**
   * Closes what is open and removes what was made. What the daemon does not remove is left to the end of the run.
   * @returns whether the daemon answered; undefined where nothing was asked
   */
  async end(transport: Transport | undefined, run: string, boundMs: number): Promise<boolean | undefined> {
    this.engine.close();
    this.#recorder.finish();
    if (!transport) return undefined;
    const { leftovers } = this.engine;
    const asked = { transport, api: this.engine.api, boundMs };
    try {
      const kept: MadeThing[] = [];
      for (const made of leftovers) {
        if ((await removeMade(asked, run, made)) === 'refused') kept.push(made);
      }
      this.engine.removed(kept);
      return leftovers.length > 0 ? true : undefined;
    } catch (error) {
      // The daemon gave no answer; each of the other requests could take as long.
      if (!(error instanceof TransportError)) throw error;
      return false;
    }
  }
}
