// Runs the generated tests with one seed after another, since no outcome may depend on the seed:
//
//   node scripts/soak-seeds.js [--from N] [--seeds N] [--api V,V] [--target ADDRESS [--baseline FILE]]
//
// Without a target each seed is tried on the reference engine in one of three ways in turn: embedded, and through a socket
// in either dialect. Prints each deviation as it is found, with its reason and the command that shows it again, and ends
// with 1 where there was one. Run it after a build.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startReference } from '../bench/daemons.js';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const { values } = parseArgs({
  options: {
    from: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '200' },
    api: { type: 'string' },
    target: { type: 'string' },
    baseline: { type: 'string' },
  },
});
const from = Number(values.from);
const seeds = Number(values.seeds);
if (!Number.isInteger(from) || !Number.isInteger(seeds) || seeds < 1) {
  console.error('--from and --seeds take whole numbers');
  process.exit(2);
}
const directory = mkdtempSync(path.join(tmpdir(), 'ec-soak-seeds-'));
const apis = values.api === undefined ? [] : ['--api', values.api];
const known = values.baseline === undefined ? [] : ['--baseline', path.resolve(values.baseline)];
const dialects = values.target === undefined ? ['engine', 'docker'] : [];
const served = await Promise.all(dialects.map((dialect) => startReference(directory, dialect)));
const ways =
  values.target === undefined
    ? [[], ...served.map(({ socketPath }) => ['--target', `unix://${socketPath}`])]
    : [['--target', values.target, ...known]];

/** Each with how often and with which seeds it was found. */
const finds = new Map();
let runs = 0;
try {
  for (let seed = from; seed < from + seeds; seed++) {
    const way = ways[seed % ways.length];
    for (const { rule, api, verdict, reason } of await deviations(way, seed)) {
      const again = ['run', ...way, '--api', api, '--only', rule, '--seed', String(seed)].join(' ');
      console.log(`${verdict} ${rule} [${api}] with seed ${seed}: engine-conformance ${again}`);
      console.log(`  ${reason.replaceAll('\n', '\n  ')}`);
      finds.set(rule, [...(finds.get(rule) ?? []), seed]);
    }
    runs++;
    if (runs % 10 === 0) console.log(`${runs} of ${seeds} seeds, ${finds.size} rules with deviations`);
  }
} finally {
  await Promise.all(served.map(({ stop }) => stop()));
  rmSync(directory, { recursive: true, force: true });
}
console.log(`${runs} seeds: ${finds.size === 0 ? 'no deviation' : `deviations in ${[...finds.keys()].join(', ')}`}`);
process.exitCode = finds.size > 0 ? 1 : 0;

/** What a run of the generated tests found beyond the baseline. */
async function deviations(way, seed) {
  const report = path.join(directory, 'report');
  rmSync(report, { recursive: true, force: true });
  const options = ['--only', 'generated.*', '--seed', String(seed), '--report', report, '--quiet'];
  const child = spawn(process.execPath, [main, 'run', ...way, ...apis, ...options], { stdio: 'ignore' });
  await new Promise((resolve) => child.once('exit', resolve));
  const file = path.join(report, 'report.json');
  if (!existsSync(file)) throw new Error(`the run with seed ${seed} wrote no report`);
  const { results } = JSON.parse(readFileSync(file, 'utf8'));
  return results.filter(({ verdict }) => verdict === 'fail' || verdict === 'error' || verdict === 'blocked');
}
