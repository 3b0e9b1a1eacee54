// Runs the scripts that show failures again: each on the daemon that deviates, where it has to exit with 1, and on the
// reference engine, which does not, with 0. Prints the shares by kind of rule, and every script that does otherwise. Two run
// at a time; what does otherwise then is tried once more by itself, as two scripts may want the same subnet or layers:
//   node scripts/measure-scripts.js REPORT unix:///socket/of/the/daemon [PATTERN]
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startReferenceEngine } from '../dist/reference/index.js';
import { scriptsOf } from '../dist/reports/repro/files.js';
import { isShownAgain } from '../dist/reports/repro/sent.js';
import { readReport } from '../dist/reports/stored/read.js';
import { recordOf } from '../dist/reports/stored/stored-report.js';
import { apiVersions } from '../dist/specs/versions.js';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const longestMs = 300_000;
const [report, deviating, pattern = ''] = process.argv.slice(2);
if (report === undefined || deviating === undefined) {
  console.error('name a directory of reports and the address of the daemon that was judged');
  process.exit(2);
}
const directory = mkdtempSync(path.join(tmpdir(), 'ec-scripts-'));
const record = recordOf(await readReport(path.join(report, 'report.json')));
const { make } = await scriptsOf(record);
const { dialect } = record.started.target;
const socketPath = path.join(directory, 'reference.sock');
const reference = await startReferenceEngine({ listen: { socketPath }, dialect, serves: apiVersions });
const kinds = new Map();
const reasons = new Map();
/** Scripts that need nothing but curl, and why the others let the suite judge the rule again. */
let byCurlAlone = 0;
const judged = new Map();

let isOver = false;
// What was measured by then is told.
process.once('SIGTERM', () => {
  isOver = true;
});

const waiting = record.results.filter((one) => isShownAgain(one) && new RegExp(pattern).test(`${one.rule} ${one.api}`));
const again = [];
await Promise.all(['first.sh', 'second.sh'].map((name) => measureWith(path.join(directory, name))));
for (const { result, count, script } of again) {
  const file = path.join(directory, 'again.sh');
  writeFileSync(file, script);
  const exits = await exitsOf(file);
  note(count, exits);
  if (!isGood(exits)) {
    console.log(`${result.rule} ${result.api}: ${told(exits.there)}; reference engine ${told(exits.mended)}`);
  }
}

console.log('\nkind        failing  scripts  exit 1 there  exit 0 on reference  both');
const all = { failing: 0, scripts: 0, there: 0, mended: 0, both: 0 };
for (const [kind, count] of [...kinds].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
  for (const name of Object.keys(all)) all[name] += count[name];
  console.log(row(kind, count));
}
console.log(row('all', all));
console.log(`by curl alone: ${byCurlAlone} of ${all.failing}; the suite judges the rule again, as`);
for (const [reason, times] of judged) console.log(`  ${reason}: ${times}`);
for (const [reason, times] of reasons) console.log(`no script, ${times} times: ${reason}`);
await reference.close();
rmSync(directory, { recursive: true, force: true });

async function measureWith(file) {
  for (let result = waiting.shift(); result && !isOver; result = waiting.shift()) {
    const count = kinds.get(result.kind) ?? { failing: 0, scripts: 0, there: 0, mended: 0, both: 0 };
    kinds.set(result.kind, count);
    count.failing++;
    const repro = make(result);
    if (repro.script === undefined) {
      reasons.set(repro.reason, (reasons.get(repro.reason) ?? 0) + 1);
      continue;
    }
    count.scripts++;
    const { judgedAgain } = repro;
    if (judgedAgain === undefined) byCurlAlone++;
    else judged.set(judgedAgain, (judged.get(judgedAgain) ?? 0) + 1);
    writeFileSync(file, repro.script);
    const exits = await exitsOf(file);
    if (isGood(exits)) note(count, exits);
    else again.push({ result, count, script: repro.script });
  }
}

async function exitsOf(file) {
  const [there, mended] = await Promise.all([exitOf(file, deviating), exitOf(file, `unix://${socketPath}`)]);
  return { there, mended };
}

function isGood({ there, mended }) {
  return there.status === 1 && mended.status === 0;
}

function note(count, exits) {
  if (exits.there.status === 1) count.there++;
  if (exits.mended.status === 0) count.mended++;
  if (isGood(exits)) count.both++;
}

function exitOf(file, host) {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', [file], {
      env: { ...process.env, ENGINE_HOST: host, ENGINE_CONFORMANCE_COMMAND: `${process.execPath} ${main}` },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    const timer = setTimeout(() => child.kill('SIGTERM'), longestMs);
    child.once('close', (status) => {
      clearTimeout(timer);
      resolve({ status, said });
    });
  });
}

function told({ status, said }) {
  return `exit ${status ?? 'none'} (${said.trim().replace(/\s+/g, ' ').slice(-200)})`;
}

function row(kind, { failing, scripts, there, mended, both }) {
  const share = (count) => `${count} (${Math.round((100 * count) / Math.max(1, failing))} %)`;
  const cells = [String(failing).padStart(7), String(scripts).padStart(7), share(there).padStart(13)];
  return [kind.padEnd(10), ...cells, share(mended).padStart(20), share(both).padStart(12)].join('  ');
}
