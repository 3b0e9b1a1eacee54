// Judges the rules of a report that deviate again and again on the same daemon, and counts which deviations have the same
// texts and the same fingerprint in every run:
//   node scripts/equal-runs.js REPORT unix:///socket/of/the/daemon [RUNS [API,...]]
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readReport } from '../dist/reports/stored/read.js';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const [report, target, times = '10', only] = process.argv.slice(2);
if (report === undefined || target === undefined || !(Number(times) >= 2)) {
  console.error(
    'name a directory of reports, the address of the daemon that was judged, and a number of runs from 2 on',
  );
  process.exit(2);
}
const { apis: judged, seed, results } = await readReport(path.join(report, 'report.json'));
const apis = only?.split(',') ?? judged;
const isDeviation = ({ verdict, api }) => /^(?:fail|blocked)$/.test(verdict) && apis.includes(api);
const deviating = new Set(results.filter(isDeviation).map(keyOf));
const seen = new Map([...deviating].map((key) => [key, { texts: new Map(), fingerprints: new Set() }]));
const directory = mkdtempSync(path.join(tmpdir(), 'ec-equal-'));
try {
  for (let run = 1; run <= Number(times); run++) {
    const into = path.join(directory, String(run));
    await judge(into);
    const again = await readReport(path.join(into, 'report.json'));
    for (const result of again.results) seen.get(keyOf(result)) && note(seen.get(keyOf(result)), result);
    console.error(`run ${run} of ${times}`);
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}

const sameTexts = [...seen.values()].filter(({ texts }) => texts.size === 1).length;
const sameFingerprint = [...seen.values()].filter(({ fingerprints }) => fingerprints.size === 1).length;
for (const [key, { texts }] of seen) {
  if (texts.size < 2) continue;
  console.log(key);
  for (const [text, count] of texts) console.log(`  ${count} times: ${text}`);
}
console.log(
  `${sameTexts} of ${seen.size} deviations have equal texts in ${times} runs, ${sameFingerprint} equal fingerprints`,
);

function note({ texts, fingerprints }, { verdict, expected, actual, reason, fingerprint = verdict }) {
  const text = JSON.stringify([verdict, expected, actual, reason]);
  texts.set(text, (texts.get(text) ?? 0) + 1);
  fingerprints.add(fingerprint);
}

function keyOf({ rule, api }) {
  return `${rule} ${api}`;
}

function judge(into) {
  const options = ['--target', target, '--api', apis.join(','), '--seed', String(seed), '--rerun-failed', report];
  const child = spawn(process.execPath, [main, 'run', ...options, '--report', into, '--quiet'], { stdio: 'ignore' });
  return new Promise((resolve) => child.once('close', resolve));
}
