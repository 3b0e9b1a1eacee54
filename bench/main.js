// Measures the speed of the suite against the targets of its design. Options: --runs N (default 3), --engine
// embedded|dockerd|podman|all (default all that is there; a whole run on a real daemon is measured once), --endpoints (how
// often each was asked), --json. `count.js` counts any run.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measured, program } from './command.js';
import { countsOf, endpointLines } from './counts.js';
import { findDaemon, startReference } from './daemons.js';
import { startHangingRelay } from './hanging-streams.js';
import { machineNote } from './machine.js';
import { median } from './median.js';
import { costsOfOperations } from './operation-costs.js';
import { exchangesOf, wholeRun } from './whole-run.js';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    engine: { type: 'string', default: 'all' },
    endpoints: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const runs = Number(values.runs);
const isEngine = ['embedded', 'dockerd', 'podman', 'all'].includes(values.engine);
const measures = (name) => [name, 'all'].includes(values.engine);
if (!Number.isInteger(runs) || runs < 1 || !isEngine) {
  console.error('usage: npm run bench -- [--runs N] [--engine embedded|dockerd|podman|all] [--endpoints] [--json]');
  process.exit(2);
}

const directory = mkdtempSync(path.join(tmpdir(), 'ec-bench-'));
const rows = [];
const notes = [machineNote()];
try {
  if (measures('embedded')) {
    await measureEmbedded();
    await measureHangingStreams();
    await measureProxy();
  }
  if (measures('dockerd')) await measureDaemon('dockerd', { wallS: 180 }, { replays: true });
  if (measures('podman')) await measureDaemon('podman', { wallS: 260 }, { replays: false });
} finally {
  rmSync(directory, { recursive: true, force: true });
}
if (values.json) console.log(JSON.stringify({ rows, notes }, null, 2));
else print();

async function measureEmbedded() {
  say('the embedded engine');
  const whole = await repeated(() => wholeRun([], directory));
  const [{ concurrency }] = whole;
  const exchanges = await exchangesOf([], directory);
  const replays = [];
  for (let count = 0; count < runs; count++) {
    const engine = await startReference(directory);
    replays.push(await replay(exchanges, engine.socketPath, concurrency));
    await engine.stop();
  }
  tellRun('embedded', whole, { wallS: 10, peakMb: 400 }, { replays, exchanges });
  await measureOneRule('embedded', ['--only', 'containers.stop.stopped-answers-304', '--api', '1.23']);
  const frames = await repeated(async () => execNode('./frames.js'));
  tell(
    'frame decoding',
    'GB/s',
    frames.map(({ gbPerS }) => gbPerS),
    { least: 1 },
  );
  tell(
    'memory that a 1 GiB stream takes',
    'MB',
    frames.map(({ grewMb }) => grewMb),
    { most: 16 },
  );
}

async function measureOneRule(name, parameters) {
  const command = ['run', ...parameters, '--report', path.join(directory, 'one')];
  const one = await repeated(() => measured(program, command, directory));
  tell(
    `${name}: one rule, from command to verdict`,
    's',
    one.map(({ wallMs }) => wallMs / 1000),
    { most: 1.5 },
  );
}

/** What a daemon costs whose every stream hangs, over one on which everything comes; measured once, as it takes minutes. */
async function measureHangingStreams() {
  say('a daemon whose streams hang');
  const engine = await startReference(directory);
  const relayPath = path.join(directory, 'hanging.sock');
  const relay = await startHangingRelay(relayPath, engine.socketPath);
  try {
    const healthy = await wholeRun(['--target', `unix://${engine.socketPath}`], directory);
    const hanging = await wholeRun(['--target', `unix://${relayPath}`], directory);
    const what = 'a daemon whose every stream hangs: wall time over that of a healthy one';
    tell(what, 's', [(hanging.wallMs - healthy.wallMs) / 1000], { most: 60 });
  } finally {
    await relay.stop();
    await engine.stop();
  }
}

async function measureProxy() {
  say('the proxy');
  const measurements = await repeated(async () => execNode('./proxy.js', directory));
  for (const target of Object.keys(measurements[0].requests)) {
    const of = measurements.map(({ requests }) => requests[target]);
    tell(
      `proxy: what it adds to GET ${target}`,
      'ms',
      of.map(({ directMs, throughMs }) => throughMs - directMs),
    );
    tell(
      `proxy: GET ${target} through it, to the same without it`,
      '×',
      of.map(({ directMs, throughMs }) => throughMs / directMs),
    );
  }
  tell(
    'proxy: an upload of 1 GiB through it, to the same without it',
    '×',
    measurements.map(({ upload }) => upload.throughMs / upload.directMs),
  );
  tell(
    'proxy: memory that an upload of 1 GiB takes',
    'MB',
    measurements.map(({ upload }) => upload.grewMb),
    { most: 64 },
  );
}

/**
 * @param {'dockerd' | 'podman'} name
 * @param {{ wallS: number }} targets
 * @param {{ replays: boolean }} options whether the exchanges of a run are sent once more
 */
async function measureDaemon(name, targets, { replays: isReplayed }) {
  const { unavailable, start } = await findDaemon(name);
  if (unavailable !== undefined) {
    notes.push(`${name} is not measured: ${unavailable}`);
    return;
  }
  say(name);
  const daemon = await start();
  try {
    for (const { what, wallMs, cpuMs } of await costsOfOperations(daemon.socketPath)) {
      tell(`${name}: ${what}`, 'ms', wallMs);
      if (cpuMs !== undefined) tell(`${name}: ${what}, CPU time of the machine`, 'ms', [cpuMs]);
    }
    const target = ['--target', `unix://${daemon.socketPath}`];
    await measureOneRule(name, [...target, '--only', 'system.ping.answers-200']);
    const whole = await wholeRun(target, directory);
    const exchanges = await exchangesOf(target, directory);
    const replays = isReplayed ? [await replay(exchanges, daemon.socketPath, whole.concurrency)] : [];
    tellRun(name, [whole], targets, { replays, exchanges });
  } finally {
    await daemon.stop();
  }
}

function tellRun(name, whole, targets, { replays, exchanges }) {
  const of = (read) => whole.map(read);
  tellCounts(name, countsOf(exchanges));
  tell(
    `${name}: wall time, all versions, all reports`,
    's',
    of(({ wallMs }) => wallMs / 1000),
    { most: targets.wallS },
  );
  tell(
    `${name}: CPU time`,
    's',
    of(({ cpuMs }) => cpuMs / 1000),
  );
  tell(
    `${name}: peak memory`,
    'MB',
    of(({ peakMb }) => peakMb),
    { most: targets.peakMb },
  );
  tell(
    `${name}: exchanges per second`,
    '/s',
    of(({ wallMs }) => (1000 * exchanges.length) / wallMs),
  );
  tell(
    `${name}: verdicts per second`,
    '/s',
    of(({ verdicts, wallMs }) => (1000 * verdicts) / wallMs),
  );
  if (replays.length === 0) return;
  tell(
    `${name}: bare replay of ${exchanges.length} exchanges`,
    's',
    replays.map(({ replayMs }) => replayMs / 1000),
  );
  const ratio = median(of(({ wallMs }) => wallMs)) / median(replays.map(({ replayMs }) => replayMs));
  tell(`${name}: wall time over the bare replay`, '×', [ratio], { most: 1.3 });
  const failed = Math.max(...replays.map((one) => one.failed));
  if (failed > 0) notes.push(`${name}: ${failed} exchanges of the replay got no whole answer`);
}

function tellCounts(name, counts) {
  tell(`${name}: container starts`, '', [counts.starts], { most: 600 });
  tell(`${name}: container creates`, '', [counts.creates], { most: 1_300 });
  tell(`${name}: builds`, '', [counts.builds]);
  tell(`${name}: requests`, '', [counts.requests], { most: 9_000 });
  if (values.endpoints) notes.push(`${name}: requests by endpoint`, ...endpointLines(counts));
}

async function replay(exchanges, socketPath, concurrency) {
  const file = path.join(directory, 'replay.json');
  writeFileSync(file, JSON.stringify(exchanges));
  const script = fileURLToPath(new URL('./replay.js', import.meta.url));
  const { status, output } = await measured(script, [file, socketPath, String(concurrency)], directory);
  if (status !== 0) throw new Error(`the replay failed: ${output}`);
  return JSON.parse(output.trim().split('\n').at(-1) ?? '');
}

function execNode(script, ...parameters) {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const output = execFileSync(process.execPath, ['--expose-gc', file, ...parameters]);
  return JSON.parse(output.toString());
}

async function repeated(measure) {
  const results = [];
  for (let count = 0; count < runs; count++) results.push(await measure());
  return results;
}

function tell(what, unit, figures, { most, least } = {}) {
  const value = median(figures);
  const target = most ?? least;
  const isMet = target === undefined ? undefined : most === undefined ? value >= target : value <= target;
  const spread = figures.length > 1 ? { least: Math.min(...figures), most: Math.max(...figures) } : {};
  rows.push({ what, unit, value, ...spread, ...(target !== undefined && { target, isMet, ratio: value / target }) });
}

function say(what) {
  process.stderr.write(`measuring ${what} …\n`);
}

/** Counts are exact. */
function figure(value) {
  return Number.isInteger(value) ? String(value) : value.toPrecision(3);
}

function print() {
  const wide = Math.max(...rows.map(({ what }) => what.length));
  console.log(`${'median'.padStart(wide + 10)}  ${'target'.padStart(8)}  ratio`);
  for (const { what, unit, value, target, isMet, ratio } of rows) {
    const judged =
      target === undefined ? '' : `${String(target).padStart(8)}  ${ratio.toFixed(2)} ${isMet ? 'met' : 'MISSED'}`;
    console.log(`${what.padEnd(wide)} ${figure(value).padStart(8)} ${unit.padEnd(4)} ${judged}`.trimEnd());
  }
  for (const note of notes) console.log(note);
}
