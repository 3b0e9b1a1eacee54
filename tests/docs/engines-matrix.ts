import { fileURLToPath } from 'node:url';
import { type BaselineEntry, readBaseline } from '../../harness/baseline/baseline.ts';
import { allRules, isRuleId, rulebook } from '../../specs/catalogue.ts';
import type { Rule } from '../../specs/rule.ts';
import { type ApiVersion, holdsIn } from '../../specs/versions.ts';

/** An engine as it is set beside others. */
interface Compared {
  readonly name: string;
  readonly apis: readonly ApiVersion[];
  /** Of its baseline. */
  readonly entries: readonly BaselineEntry[];
}

function compared(name: string, baseline: string, ...apis: readonly ApiVersion[]): Compared {
  const file = fileURLToPath(new URL(`../../baselines/${baseline}`, import.meta.url));
  return { name, apis, entries: readBaseline(file).entries };
}

/** The engines with a baseline, in the versions in which they are set side by side. */
const dockerd20 = compared('dockerd 20.10.24', 'dockerd-20.10.yaml', '1.23', '1.41');
const dockerd26 = compared('dockerd 26.1.5', 'dockerd-26.1.yaml', '1.45');
const podman43 = compared('podman 4.3.1', 'podman-4.3.yaml', '1.23');
const podman54 = compared('podman 5.4.2', 'podman-5.4.yaml', '1.23', '1.41');
const engines = [dockerd20, dockerd26, podman43, podman54];

/** The rules of which the baseline of an engine says something in a version. */
function known({ entries }: Compared, api: ApiVersion, ...verdicts: ('fail' | 'blocked')[]): ReadonlySet<string> {
  const meant = entries.filter(({ apis, verdict }) => verdicts.includes(verdict) && apis.includes(api));
  return new Set(meant.flatMap(({ rules }) => rules).filter((rule) => isRuleId(rule) && holdsIn(rulebook[rule], api)));
}

/** The rules on which an engine deviates in a version; those that another deviation blocks are left aside. */
function deviating(engine: Compared, api: ApiVersion): ReadonlySet<string> {
  return known(engine, api, 'fail');
}

function table(): string {
  const judged = (api: ApiVersion) =>
    allRules.filter((rule) => rule.level !== 'observe' && !rule.unchecked && holdsIn(rule, api));
  const columns = engines.flatMap((engine) =>
    engine.apis.map((api) => ({ name: engine.name, api, of: deviating(engine, api), judged: judged(api) })),
  );
  const row = (title: string, isMeant: (rule: Rule) => boolean) => {
    const cells = columns.map(({ of, judged }) => {
      const rules = judged.filter(isMeant);
      return rules.length === 0 ? '' : `${rules.filter(({ id }) => of.has(id)).length} of ${rules.length}`;
    });
    return `| ${title} | ${cells.join(' | ')} |`;
  };
  const areas = [...new Set(allRules.map(({ area }) => area))].filter((area) => area !== 'token');
  return [
    `| area | ${columns.map(({ name, api }) => `${name}, ${api}`).join(' | ')} |`,
    `| --- |${' ---: |'.repeat(columns.length)}`,
    ...areas.map((area) => row(area, (rule) => rule.area === area)),
    row('all', ({ area }) => area !== 'token'),
  ].join('\n');
}

function list(rules: readonly string[]): string {
  if (rules.length === 0) return 'None.';
  return rules.map((rule) => `\`${rule}\``).join(', ');
}

type InVersion = readonly [Compared, ApiVersion];

/** What one release deviates on and the other does not, among the rules that hold in both versions. */
function changes(from: InVersion, to: InVersion): string {
  const [before, after] = [deviating(...from), deviating(...to)];
  const holdsInBoth = (rule: string) => isRuleId(rule) && [from, to].every(([, api]) => holdsIn(rulebook[rule], api));
  // A rule that is blocked there is neither mended nor new.
  const [open, wasOpen] = [known(...to, 'fail', 'blocked'), known(...from, 'fail', 'blocked')];
  const only = (these: ReadonlySet<string>, those: ReadonlySet<string>) =>
    [...these].filter((rule) => !those.has(rule) && holdsInBoth(rule)).toSorted();
  const title = `${from[0].name} in ${from[1]}, and ${to[0].name} in ${to[1]}`;
  return [`**${title}.** Fixed: ${list(only(before, open))}`, `New: ${list(only(after, wasOpen))}`].join('\n\n');
}

function matrix(): string {
  const sets = engines.map((engine) => deviating(engine, engine.apis.at(-1) ?? '1.23'));
  const shared = [...(sets[0] ?? [])].filter((rule) => sets.every((set) => set.has(rule))).toSorted();
  return [
    table(),
    `**All four deviate on:** ${list(shared)}`,
    changes([dockerd20, '1.41'], [dockerd26, '1.45']),
    changes([podman43, '1.23'], [podman54, '1.23']),
  ].join('\n\n');
}

/** The page with the matrix of today's baselines. */
export function pageWithMatrix(page: string): string {
  const [before, , after] = page.split(/^(<!-- matrix -->\n[\s\S]*<!-- end of matrix -->\n)/m);
  if (after === undefined) throw new Error('the page has no marks for the matrix');
  return `${before}<!-- matrix -->\n\n${matrix()}\n\n<!-- end of matrix -->\n${after}`;
}
