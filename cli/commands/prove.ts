import { writeFileSync } from 'node:fs';
import { type Proof, prove, type Unproven } from '../../harness/runner/prove.ts';
import { type Declared, declaredIn } from '../../harness/target/declared.ts';
import { killMatrix } from '../../reports/kill-matrix/matrix.ts';
import { visibleLine } from '../../reports/visible.ts';
import { checksOf } from '../checks.ts';
import { exitStatus } from '../exit-status.ts';
import { watchInterrupt } from '../interrupt.ts';
import { type ExchangeFlags, runOptions } from '../run-options.ts';
import { type Selection, type SelectionFlags, select } from '../selection.ts';
import { describeSoundness, soundnessOf } from '../soundness.ts';
import { chooseTarget, meantRules, type TargetFlags } from '../target.ts';
import { screenFor } from '../terminal/screen-for.ts';
import { thisTool } from '../tool.ts';

export interface ProveFlags extends TargetFlags, SelectionFlags, ExchangeFlags {
  /** File for every trial, and for the effect of each fault on other rules. */
  readonly matrix?: string;
  /** Tries faults, and latitudes only if they are requested, too. */
  readonly faults?: boolean;
  /** Tries latitudes, and faults only if they are requested, too. */
  readonly latitudes?: boolean;
  /** Tries only these latitudes. */
  readonly latitude?: readonly string[];
}

/**
 * Runs every check under its faults, where it must fail, and under latitudes, where it must not.
 * @returns the exit status: an unproven rule that has a check, and a false alarm, are defects of the kit
 */
export async function proveCommand(flags: ProveFlags): Promise<number> {
  const selection = meantRules(select({ ...flags, api: flags.api ?? ['served'] }), flags);
  const screen = await screenFor(process.stdout);
  const interrupt = watchInterrupt(() => process.stderr.write('interrupted; press Ctrl-C again to end at once\n'));
  let before = 0;
  const proveOn = async (declared: Declared, rules: Selection['rules']): Promise<Proof> => {
    const target = await chooseTarget(flags, flags.dialect, { declared, api: selection.apis });
    try {
      const all = { ...flags, ...declared, hostile: !isNamed(flags) };
      const options = runOptions(target, { ...selection, rules }, all, [], { signal: interrupt.signal });
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
    const fails = async () => {
      let proof = await proveOn(declaredIn(flags), selection.rules);
      for (const corsOrigin of furtherOrigins(flags)) {
        const open = proof.unproven.map(({ rule }) => rule);
        const rules = selection.rules.filter(({ id, needs }) => needs.includes('cors-origin') && open.includes(id));
        if (rules.length > 0 && !interrupt.signal.aborted) proof = joined(proof, await proveOn({ corsOrigin }, rules));
      }
      screen.clear();
      if (interrupt.status !== undefined) return false;
      const checks = await checksOf(selection.rules);
      const isDefect = ({ rule }: Unproven) => checks.has(rule);
      for (const line of describe(proof, isDefect)) screen.write(line);
      if (flags.matrix !== undefined)
        writeFileSync(flags.matrix, `${JSON.stringify(killMatrix(proof, thisTool()), undefined, 1)}\n`);
      return !proof.unproven.some(isDefect);
    };
    const bears = async () => {
      const shown = (what: string) => screen.show(() => [what]);
      const soundness = await soundnessOf(flags, selection, interrupt.signal, shown);
      screen.clear();
      if (interrupt.status !== undefined) return false;
      for (const line of describeSoundness(soundness)) screen.write(line);
      return soundness.falseAlarms.length === 0;
    };
    const isProven = triesFaults(flags) ? await fails() : true;
    if (interrupt.status !== undefined) return interrupt.status;
    const isSound = triesLatitudes(flags) ? await bears() : true;
    return interrupt.status ?? (isProven && isSound ? exitStatus.kept : exitStatus.failed);
  } finally {
    interrupt.stop();
  }
}

function triesFaults({ faults, latitudes, latitude }: ProveFlags): boolean {
  return faults === true || (latitudes !== true && latitude === undefined);
}

function triesLatitudes({ faults, latitudes, latitude }: ProveFlags): boolean {
  return faults !== true || latitudes === true || latitude !== undefined;
}

/** No single engine can have every api-cors-header, but the embedded one can be started several times. */
function furtherOrigins(flags: ProveFlags): readonly string[] {
  return isNamed(flags) || flags.corsOrigin !== undefined ? [] : ['http://client.test', '*'];
}

/** Whether the user named a target. Only the embedded engine may break. */
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
    again: [...first.again, ...second.again],
  };
}

/** The rules that have a check and are not proven come last: they are what is to be mended. */
function describe({ proven, unproven, again }: Proof, isDefect: (open: Unproven) => boolean): string[] {
  const total = proven.length + unproven.length;
  const share = total === 0 ? 0 : Math.floor((proven.length / total) * 1000) / 10;
  return [
    ...again.map(({ rule, reasons }) => `proven when it was tried again: ${rule} (${visibleLine(reasons.join('; '))})`),
    ...[...unproven.filter((open) => !isDefect(open)), ...unproven.filter(isDefect)].flatMap(({ rule, reasons }) => [
      `not proven: ${rule}`,
      ...reasons.map((reason) => `  ${visibleLine(reason)}`),
    ]),
    `proven ${proven.length} of ${total} rules (${share} %)`,
  ];
}
