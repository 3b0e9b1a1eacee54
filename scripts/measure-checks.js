// Writes suites/measured.ts: which checks use which fixtures, as a run of all checks on the reference engine shows it, and,
// with the report.json of a whole run on a real daemon (`npm run measure -- FILE`), which checks take seconds; without one
// these stay as they are. It decides only how long fixtures are held and in which order checks begin, so it need not be
// written anew with every check.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { defaultConcurrency } from '../dist/cli/default-concurrency.js';
import { runOptions } from '../dist/cli/run-options.js';
import { select } from '../dist/cli/selection.js';
import { chooseTarget } from '../dist/cli/target.js';
import { allChecks } from '../dist/harness/check.js';
import { Session } from '../dist/harness/runner/session.js';
import { setStage } from '../dist/harness/runner/stage.js';
import { holdsIn } from '../dist/specs/versions.js';
import '../dist/suites/index.js';
import { measured } from '../dist/suites/measured.js';

/** What takes less is no matter of order. */
const leastSeconds = 5;

const selection = select({});
const target = await chooseTarget({}, 'auto', {});
const flags = { dialect: 'auto', timeout: 10_000, seed: 7 };
const stage = await setStage(runOptions(target, selection, flags, []));
const plan = stage.plan('run', []);
const uses = new Map();
const session = new Session(plan, {
  used: (name, by) => uses.set(name, (uses.get(name) ?? new Set()).add(by)),
});
const waiting = plan.apis
  .flatMap((api) => [...allChecks().values()].map((check) => ({ api, check })))
  .filter(({ api, check }) => holdsIn(check.rule, api) && !check.exclusive && !check.last)
  .values();
await Promise.all(
  Array.from({ length: defaultConcurrency.embedded }, async () => {
    for (const { api, check } of waiting) await session.run(check, api);
  }),
);
await session.close();
await stage.clean();
await stage.close();
await target.close();

/** How long the checks took that took seconds, those that took longest first. */
function secondsIn({ results }) {
  const longest = new Map();
  for (const { rule, durationMs } of results) {
    longest.set(rule, Math.max(longest.get(rule) ?? 0, Math.round(durationMs / 1_000)));
  }
  return Object.fromEntries([...longest].filter(([, took]) => took >= leastSeconds).toSorted(([, a], [, b]) => b - a));
}

/** The rules for whose checks a fixture is there, be it that others are made with it. */
function usersOf(name, seen = new Set()) {
  if (seen.has(name)) return [];
  seen.add(name);
  return [...uses.get(name)].flatMap((by) => (uses.has(by) ? usersOf(by, seen) : [by]));
}

const users = Object.fromEntries(
  [...uses.keys()].toSorted().map((name) => [name, [...new Set(usersOf(name))].toSorted()]),
);
const [report] = process.argv.slice(2);
const seconds = report === undefined ? measured.seconds : secondsIn(JSON.parse(readFileSync(report, 'utf8')));
const file = 'suites/measured.ts';
writeFileSync(
  file,
  `import type { Measured } from '../harness/runner/register.ts';

/** What a run of all checks showed; written by \`npm run measure\`. */
export const measured: Measured = { seconds: ${JSON.stringify(seconds)}, users: ${JSON.stringify(users)} };
`,
);
execFileSync('npx', ['biome', 'check', '--write', file], { stdio: 'ignore' });
process.exit();
