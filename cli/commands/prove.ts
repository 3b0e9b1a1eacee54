import { writeFileSync } from 'node:fs';
import { type Proof, prove } from '../../harness/runner/prove.ts';
import { visibleLine } from '../../reports/visible.ts';
import { declaredChecks } from '../checks.ts';
import { exitStatus } from '../exit-status.ts';
import { watchInterrupt } from '../interrupt.ts';
import { killMatrix } from '../kill-matrix.ts';
import { type ExchangeFlags, runOptions } from '../run-options.ts';
import { type Selection, type SelectionFlags, select } from '../selection.ts';
import { chooseTarget, meantRules, type TargetFlags } from '../target.ts';
import { screenFor } from '../terminal/screen.ts';

export interface ProveFlags extends TargetFlags, SelectionFlags, ExchangeFlags {
  /** File that takes every trial, and what each fault does to other rules. */
  readonly matrix?: string;
}

/**
 * Runs every check under its faults, where it has to fail.
 * @returns the exit status: a rule with a check that is not proven is a fault of the kit
 */
export async function proveCommand(flags: ProveFlags): Promise<number> {
  const selection = meantRules(select({ ...flags, api: flags.api ?? ['served'] }), flags);
  const screen = screenFor(process.stdout);
  const interrupt = watchInterrupt(() => process.stderr.write('interrupted: once more to end at once\n'));
  let before = 0;
  const proveOn = async (corsOrigin: string | undefined, rules: Selection['rules']): Promise<Proof> => {
    const target = await chooseTarget(flags, flags.dialect, { corsOrigin, api: selection.apis });
    try {
      const told = { ...flags, hostile: !isNamed(flags), ...(corsOrigin !== undefined && { corsOrigin }) };
      const options = runOptions(target, { ...selection, rules }, told, [], { signal: interrupt.signal });
      const proof = await prove(options, {
        progress: (trials) => screen.show(() => [`${before + trials} trials`]),
        others: flags.matrix !== undefined,
        whereChanged: flags.api === undefined,
      });
      before += proof.trials.length;
      return proof;
    } finally {
      await target.close();
    }
  };
  try {
    let proof = await proveOn(flags.corsOrigin, selection.rules);
    for (const corsOrigin of furtherOrigins(flags)) {
      const open = proof.unproven.map(({ rule }) => rule);
      const rules = selection.rules.filter(({ id, needs }) => needs.includes('cors-origin') && open.includes(id));
      if (rules.length > 0 && !interrupt.signal.aborted) proof = joined(proof, await proveOn(corsOrigin, rules));
    }
    screen.clear();
    if (interrupt.status !== undefined) return interrupt.status;
    for (const line of describe(proof)) screen.write(line);
    if (flags.matrix !== undefined) writeFileSync(flags.matrix, `${JSON.stringify(killMatrix(proof), undefined, 1)}\n`);
    const checks = declaredChecks();
    return proof.unproven.some(({ rule }) => checks.has(rule)) ? exitStatus.failed : exitStatus.kept;
  } finally {
    interrupt.stop();
  }
}

/** No one engine can be started with every api-cors-header, but the embedded one can be started again. */
function furtherOrigins(flags: ProveFlags): readonly string[] {
  return isNamed(flags) || flags.corsOrigin !== undefined ? [] : ['http://client.test', '*'];
}

/** Whether the user named a target. The embedded engine may break, others not. */
function isNamed({ target, authUrl, tokenUrl }: ProveFlags): boolean {
  return Boolean(target || authUrl || tokenUrl);
}

function joined(first: Proof, second: Proof): Proof {
  return {
    trials: [...first.trials, ...second.trials],
    proven: [...first.proven, ...second.proven],
    unproven: first.unproven.filter(({ rule }) => !second.proven.includes(rule)),
    refusals: [...first.refusals, ...second.refusals],
    others: [...first.others, ...second.others],
  };
}

function describe({ proven, unproven }: Proof): string[] {
  const total = proven.length + unproven.length;
  const share = total === 0 ? 0 : Math.floor((proven.length / total) * 1000) / 10;
  return [
    ...unproven.flatMap(({ rule, reasons }) => [
      `not proven: ${rule}`,
      ...reasons.map((reason) => `  ${visibleLine(reason)}`),
    ]),
    `proven ${proven.length} of ${total} rules (${share} %)`,
  ];
}
