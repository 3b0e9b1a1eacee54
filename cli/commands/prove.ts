import { type Proof, prove } from '../../harness/runner/prove.ts';
import { visibleLine } from '../../reports/visible.ts';
import { declaredChecks } from '../checks.ts';
import { exitStatus } from '../exit-status.ts';
import { watchInterrupt } from '../interrupt.ts';
import { type ExchangeFlags, runOptions } from '../run-options.ts';
import { type SelectionFlags, select } from '../selection.ts';
import { chooseTarget, meantRules, type TargetFlags } from '../target.ts';
import { screenFor } from '../terminal/screen.ts';

export interface ProveFlags extends TargetFlags, SelectionFlags, ExchangeFlags {}

/**
 * Runs every check under its faults, where it has to fail.
 * @returns the exit status: a rule with a check that is not proven is a fault of the kit
 */
export async function proveCommand(flags: ProveFlags): Promise<number> {
  const selection = meantRules(select(flags), flags);
  const screen = screenFor(process.stdout);
  const interrupt = watchInterrupt(() => process.stderr.write('interrupted: once more to end at once\n'));
  const target = await chooseTarget(flags, flags.dialect);
  try {
    const options = runOptions(target, selection, flags, [], { signal: interrupt.signal });
    const proof = await prove(options, (trials) => screen.show(() => [`${trials} trials`]));
    screen.clear();
    if (interrupt.status !== undefined) return interrupt.status;
    for (const line of describe(proof)) screen.write(line);
    const checks = declaredChecks();
    return proof.unproven.some(({ rule }) => checks.has(rule)) ? exitStatus.failed : exitStatus.kept;
  } finally {
    await target.close();
    interrupt.stop();
  }
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
