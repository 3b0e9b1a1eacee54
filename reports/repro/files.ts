import { writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Result, RunHandler } from '../../harness/events.ts';
import { allRules } from '../../specs/catalogue.ts';
import type { Rule } from '../../specs/rule.ts';
import { type RunRecord, whenEnded } from '../run-record.ts';
import { targetName } from '../target-name.ts';
import { probeForScripts } from './probe.ts';
import { type Common, type Repro, scriptName, scriptOf } from './script.ts';
import type { Selection } from './selection.ts';
import { isShownAgain, selectionOf } from './sent.ts';

/** The scripts that were made from a selection: the page and the directory have the same ones. */
const scripts = new WeakMap<Selection, Map<Result, Repro>>();

/** Makes the scripts of a run's failures. */
export async function scriptsOf(
  record: Pick<RunRecord, 'started' | 'results' | 'ended'>,
): Promise<{ readonly make: (result: Result) => Repro; readonly common: Common }> {
  const { target } = record.started;
  const selection = await selectionOf(record);
  const made = scripts.get(selection) ?? new Map<Result, Repro>();
  scripts.set(selection, made);
  const common = {
    address: target.address,
    target: targetName(target),
    tokenServer: target.tokenServer,
    isOfClients: record.ended.traffic !== undefined,
    probe: record.results.some(isShownAgain) ? await probeForScripts(target.arch) : '',
  };
  const make = (result: Result) => {
    const repro = made.get(result) ?? scriptOf(result, selection, common);
    made.set(result, repro);
    return repro;
  };
  return { make, common };
}

/** Whether a verdict's script is written next to the reports. For known deviations there is the command. */
export function isWritten({ verdict }: Pick<Result, 'verdict'>): boolean {
  return verdict === 'fail' || verdict === 'blocked';
}

/** Writes a script for every failed or blocked verdict: `RULE@VERSION.sh`. A verdict without a script has no file. */
export function reproScripts(directory: string, rules: readonly Rule[] = allRules): RunHandler {
  return whenEnded(async (record) => {
    const failed = record.results.filter(isWritten);
    if (failed.length === 0) return;
    const { make } = await scriptsOf(record);
    const named = failed.map((result) => ({ name: scriptName(result), ...make(result) }));
    const written = named.filter((one) => 'script' in one);
    if (written.length === 0) return;
    await mkdir(directory, { recursive: true });
    // There may be thousands, and waiting for each one takes several times as long.
    for (const { name, script } of written) writeFileSync(path.join(directory, name), script, { mode: 0o755 });
  }, rules);
}
