import { type Check, serverOf, whyNotOn } from '../../harness/check.ts';
import { Session } from '../../harness/runner/session.ts';
import { type Stage, setStage } from '../../harness/runner/stage.ts';
import { type Absence, absenceInWords } from '../../harness/serving/absence.ts';
import { statingRule } from '../../harness/serving/stating-rule.ts';
import { whyJudged } from '../../harness/target/judged-versions.ts';
import type { Target } from '../../harness/target/target.ts';
import { accessInWords, type TokenAccess } from '../../harness/token/token-server.ts';
import { grouped } from '../../reports/grouped.ts';
import { visibleLine } from '../../reports/visible.ts';
import { capabilities } from '../../specs/capabilities.ts';
import { type Endpoint, endpointTitle } from '../../specs/endpoint.ts';
import { keysOf } from '../../specs/keys.ts';
import { type ApiVersion, holdsIn, versionsInWords } from '../../specs/versions.ts';
import { checksOf } from '../checks.ts';
import { exitStatus } from '../exit-status.ts';
import { type ExchangeFlags, runOptions } from '../run-options.ts';
import { type Selection, type SelectionFlags, select } from '../selection.ts';
import { chooseTarget, meantRules, type TargetFlags } from '../target.ts';

export interface DoctorFlags extends TargetFlags, SelectionFlags, ExchangeFlags {}

/** Prints what the target is and can do, and which rules a run would not judge and why. @returns the exit status */
export async function doctorCommand(flags: DoctorFlags): Promise<number> {
  const selection = meantRules(select(flags), flags);
  const chosen = await chooseTarget(flags, flags.dialect, { api: flags.api });
  try {
    const known = keysOf(capabilities);
    const stage = await setStage(runOptions(chosen, selection, flags, []), known);
    try {
      const { access } = stage.plan('run', []).tokenServer ?? {};
      const absences = await findAbsences(stage, selection.rules);
      const checks = await checksOf(selection.rules);
      const lines = [
        ...describeTarget(stage.target, access),
        ...describeVersions(stage, selection),
        ...describeAbsences(absences),
        ...describeRules(stage, selection.rules, checks, absences),
      ];
      process.stdout.write(`${lines.map(visibleLine).join('\n')}\n`);
    } finally {
      const left = await stage.clean();
      if (left.length > 0) process.stderr.write(`could not be removed from the target: ${left.join(', ')}\n`);
      await stage.close();
    }
  } finally {
    await chosen.close();
  }
  return exitStatus.kept;
}

function describeTarget(
  { identity, serves, lacks, absent, startMs }: Target,
  access: TokenAccess | undefined,
): string[] {
  const { product, version, apiVersion, os, arch, kernel, address, dialect } = identity;
  const known = keysOf(capabilities);
  // If there is no engine, nothing was found out about it.
  const found = absent.engine === undefined ? known : known.filter((name) => name === 'token-user');
  return [
    `target:      ${address}`,
    `product:     ${[product, version].filter(Boolean).join(' ') || 'unnamed'}`,
    `newest API:  ${apiVersion || 'unknown'}`,
    `host:        ${[os, arch, kernel].filter(Boolean).join(', ') || 'unknown'}`,
    `dialect:     ${dialect}`,
    ...(identity.tokenServer === undefined ? [] : [`tokens from: ${identity.tokenServer}`]),
    ...(access === undefined ? [] : [`tokens by:   ${accessInWords(access)}`]),
    `serves:      ${versionsInWords(serves)}`,
    ...(startMs === undefined ? [] : [`starts:      a container in ${(startMs / 1_000).toFixed(2)} s`]),
    // Where no container can be started, it is the reason for much else, and is told once.
    ...new Set(
      found.map((name) => (lacks[name] === undefined ? `can: ${capabilities[name]}` : `CANNOT: ${lacks[name]}`)),
    ),
  ];
}

function describeVersions({ target, apis }: Stage, { apis: wishes }: Selection): string[] {
  if (target.absent.engine !== undefined) return [];
  return [`judged in:   ${versionsInWords(apis)}`, `because:     ${whyJudged(wishes, target.identity)}`];
}

/** What the target does not serve, by endpoint and version. */
type Absences = ReadonlyMap<Endpoint, ReadonlyMap<ApiVersion, Absence>>;

/** Asks the target whether it serves each endpoint of the rules. */
async function findAbsences(stage: Stage, rules: Selection['rules']): Promise<Absences> {
  const absences = new Map<Endpoint, Map<ApiVersion, Absence>>();
  const plan = stage.plan('run', []);
  if (stage.target.absent.engine !== undefined) return absences;
  const session = new Session(plan);
  try {
    for (const rule of rules) {
      const { endpoint } = rule;
      if (!endpoint || serverOf(rule) !== 'engine') continue;
      for (const api of plan.apis.filter((version) => holdsIn(rule, version))) {
        const absence = await session.absence(endpoint, api);
        if (absence) absences.set(endpoint, new Map(absences.get(endpoint)).set(api, absence));
      }
    }
  } finally {
    await session.close();
  }
  return absences;
}

function describeAbsences(absences: Absences): string[] {
  return [...absences].flatMap(([endpoint, inVersions]) => {
    const apis = grouped(inVersions, ([, { said }]) => said);
    return [...apis].map(
      ([said, told]) =>
        `NOT SERVED: ${endpointTitle(endpoint)}: ${said} (API ${versionsInWords(told.map(([api]) => api))})`,
    );
  });
}

function describeRules(
  { target, apis }: Stage,
  rules: Selection['rules'],
  checks: ReadonlyMap<string, Check>,
  absences: Absences,
): string[] {
  const reasons = new Map<string, number>();
  let judged = 0;
  const count = (reason: string) => reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  for (const rule of rules) {
    const check = checks.get(rule.id);
    for (const api of apis.filter((version) => holdsIn(rule, version))) {
      const served = target.serves.includes(api);
      const absence = rule.endpoint && absences.get(rule.endpoint)?.get(api);
      const unfit = served ? check && whyNotOn(check, target, api) : `the target does not serve API version ${api}`;
      if (absence && rule.endpoint && statingRule(rule.endpoint, api) === rule) judged++;
      else if (absence) count(`skip: ${absenceInWords(absence)}`);
      else if (unfit !== undefined) count(`skip: ${unfit}`);
      else if (!check) count(`untested: ${rule.unchecked ?? 'no check decides this rule'}`);
      else judged++;
    }
  }
  const others = [...reasons].toSorted(([, a], [, b]) => b - a).map(([reason, number]) => `${number} ${reason}`);
  return [`a run would give ${judged} verdicts in API ${versionsInWords(apis)}, and would not judge:`, ...others];
}
