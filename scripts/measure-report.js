// Says of whole runs how many causes their deviations have, which share of the deviating verdicts the causes of several
// verdicts explain, and how long their log is in CI, without the lines that tell how far it is:
//   node scripts/measure-report.js REPORT...
// Known deviations count as deviations, so that a baseline changes nothing in the causes.
import path from 'node:path';
import { colorsFor } from '../dist/cli/terminal/colors.js';
import { shortened } from '../dist/cli/terminal/screen-for.js';
import { textReport } from '../dist/cli/terminal/text.js';
import { answersAmong } from '../dist/reports/causes/answers.js';
import { causesIn, verdictsOf } from '../dist/reports/causes/causes.js';
import { unwaived } from '../dist/reports/compare/causes.js';
import { readReport } from '../dist/reports/stored/read.js';
import { eventsOf } from '../dist/reports/stored/stored-report.js';
import { allRules } from '../dist/specs/catalogue.js';

const directories = process.argv.slice(2);
if (directories.length === 0) {
  console.error('name directories of reports');
  process.exit(2);
}
for (const directory of directories) {
  const report = await readReport(path.join(directory, 'report.json'));
  const { target, apis } = report;
  const results = report.results.map(unwaived);
  const causes = causesIn(results, answersAmong(Object.values(report.exchanges), results));
  const all = total(causes);
  const ofSeveral = total(causes.filter((cause) => verdictsOf(cause) > 1));
  const share = all === 0 ? 100 : (100 * ofSeveral) / all;
  const lines = await logOf(report);
  const longest = Math.max(...lines.map((line) => line.length));
  console.log(
    `${target.product} ${target.version} in ${apis.join(' ')}: ${all} deviating verdicts, ${causes.length} causes; those of several verdicts explain ${share.toFixed(1)} %; log of ${lines.length} lines, the longest of ${longest} characters`,
  );
}

function total(causes) {
  return causes.reduce((sum, cause) => sum + verdictsOf(cause), 0);
}

/** What the run wrote without a terminal. */
async function logOf(report) {
  const lines = [];
  const write = (text) => lines.push(...text.split('\n').map(shortened));
  const screen = { isLive: false, write, show() {}, clear() {} };
  const told = textReport({ screen, colors: colorsFor({}), rules: allRules, quiet: false });
  for (const event of eventsOf(report)) {
    await told(event.type === 'run-started' ? { ...event, exchange: async (id) => report.exchanges[id] } : event);
  }
  return lines;
}
