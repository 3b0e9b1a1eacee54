import { visibleLine } from '../visible.ts';
import type { KillMatrix, MatrixRule } from './matrix.ts';

const widest = 25;
/** The kill matrix for people, as Markdown. */
export function killMatrixPage({ rules, faults, refusals }: KillMatrix): string {
  const proven = rules.filter((rule) => rule.proven);
  const sum = (of: (one: KillMatrix['faults'][number]) => number) => faults.reduce((all, one) => all + of(one), 0);
  const passed = refusals.filter(({ verdict }) => verdict === 'pass');
  return `${[
    '# Kill matrix',
    '',
    'Written by `npm run prove -- --faults --matrix FILE` and `node scripts/kill-matrix.js FILE`; do not edit it. Each check runs',
    'under each of its faults in every version, where it must fail; without a fault it must pass.',
    '',
    `Proven: ${share(rules)}, under ${faults.length} faults.`,
    '',
    '## By area',
    '',
    ...table(
      ['area', 'rules', 'proven', 'faults'],
      by(rules, ({ area }) => area),
      rowOf,
    ),
    '',
    '## By kind',
    '',
    ...table(
      ['kind', 'rules', 'proven', 'faults'],
      by(rules, ({ kind }) => kind),
      rowOf,
    ),
    '',
    '## Not proven',
    '',
    ...table(
      ['reason', 'rules'],
      by(
        rules.filter((rule) => !rule.proven),
        ({ reasons }) => visibleLine(reasons.join('; ')),
      ),
      (reason, group) => [reason, group.map(({ rule }) => `\`${rule}\``).join(', ')],
    ),
    '',
    '## Refusals',
    '',
    'Each check that was refused something by a daemon without a fault runs again, in the newest version, on a daemon that',
    'refuses everything at that endpoint with that status. It must not pass there: a refusal proves something only beside the',
    'same request without the defect, which is not refused.',
    '',
    `Checks that pass there: ${passed.length === 0 ? 'none' : passed.map(({ rule }) => `\`${rule}\``).join(', ')}.`,
    '',
    '## What was not tried',
    '',
    'Under each fault, checks of other rules of the same endpoint ran too, in the newest version in which the fault is',
    'declared. Left out were checks whose exchanges the fault would not have changed (a field rule that reads a shared answer',
    'reads only its field), checks that need the daemon to themselves, properties and observations. If more than four',
    'were left, four of them ran, spread over all. Checks of other endpoints, which may use the faulty endpoint as a step,',
    'did not run under it.',
    '',
    '## What else the faults reddened',
    '',
    `${sum(({ others }) => others)} pairs of a fault and another rule of its endpoint; ${sum(({ touched }) => touched)} in which the fault`,
    `changes something; ${sum(({ tried }) => tried)} tried: ${sum(({ reddens }) => reddens.length)} failed, ${sum(({ blocks }) => blocks.length)} were blocked.`,
    '',
    ...table(
      ['area', 'faults', 'touched', 'tried', 'reddened', 'blocked'],
      by(faults, ({ of: [rule = ''] }) => rule.slice(0, rule.indexOf('.'))),
      (area, group) => [
        area,
        group.length,
        total(group, ({ touched }) => touched),
        total(group, ({ tried }) => tried),
        total(group, ({ reddens }) => reddens.length),
        total(group, ({ blocks }) => blocks.length),
      ],
    ),
    '',
    '### The widest faults',
    '',
    '| endpoint | fault | named by | tried on others | reddened |',
    '| --- | --- | --- | --- | --- |',
    ...faults
      .toSorted((one, other) => other.reddens.length - one.reddens.length || compare(one.fault, other.fault))
      .slice(0, widest)
      .map(({ endpoint, fault, of, touched, tried, reddens }) =>
        row([endpoint, visibleLine(fault), of.length, `${tried} of ${touched}`, reddens.length]),
      ),
    '',
    `${faults.filter(({ reddens }) => reddens.length === 0).length} faults reddened no other rule that was tried.`,
  ].join('\n')}\n`;

  function rowOf(name: string, group: readonly MatrixRule[]): readonly (string | number)[] {
    const good = group.filter((rule) => proven.includes(rule));
    return [
      name,
      group.length,
      `${good.length} (${percent(good.length, group.length)})`,
      total(group, (one) => one.faults.length),
    ];
  }
}

function share(rules: readonly MatrixRule[]): string {
  const proven = rules.filter((rule) => rule.proven).length;
  return `${proven} of ${rules.length} rules (${percent(proven, rules.length)})`;
}

function percent(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.floor((part / whole) * 1000) / 10} %`;
}

function total<T>(group: readonly T[], of: (one: T) => number): number {
  return group.reduce((sum, one) => sum + of(one), 0);
}

function by<T>(all: readonly T[], key: (one: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return [...groups].toSorted(([one], [other]) => compare(one, other));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function table<T>(
  head: readonly string[],
  groups: readonly [string, T[]][],
  cells: (name: string, group: readonly T[]) => readonly (string | number)[],
): string[] {
  return [row(head), row(head.map(() => '---')), ...groups.map(([name, group]) => row(cells(name, group)))];
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
}
