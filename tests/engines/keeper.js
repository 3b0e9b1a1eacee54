// Runs a daemon for as long as the standard input is open, then removes all that the daemon made. It is a process of
// its own, so that the removal happens however the test process ends. Plain JavaScript, as it is run without a build.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const requestMs = 20_000;
const stopMs = 20_000;
const patienceMs = 5_000;
const linesOfCrash = 20;
const builtInNetworks = ['bridge', 'host', 'none', 'podman'];

/** @type {{ directory: string, socketPath: string, command: string[], environment: Record<string, string>, after: string[][] }} */
const { directory, socketPath, command, environment, after } = JSON.parse(process.argv[2] ?? '');
const environmentOfAll = { ...process.env, ...environment };
/** @type {string[]} */
const problems = [];

const output = openSync(path.join(directory, 'daemon.log'), 'a');
const [program = '', ...options] = command;
const daemon = spawn(program, options, { stdio: ['ignore', output, output], env: environmentOfAll });
closeSync(output);
const daemonEnded = once(daemon, 'exit');

process.stdin.resume();
await Promise.race([once(process.stdin, 'close'), daemonEnded]);
await emptyUnlessEnded();
await attempt('end the daemon', endDaemon);
for (const [one = '', ...rest] of after) {
  await attempt([one, ...rest].join(' '), () => execFileSync(one, rest, { env: environmentOfAll, stdio: 'pipe' }));
}
await attempt('end what the daemon started', endProcesses);
for (const mount of mountsBelow().reverse()) await attempt(`unmount ${mount}`, () => unmount(mount));
await attempt('remove the directory', () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 ? 1 : 0);

/**
 * @param {string} what
 * @param {() => unknown} action
 */
async function attempt(what, action) {
  try {
    await action();
  } catch (error) {
    problems.push(`could not ${what}: ${String(error)}`);
  }
}

function isRunning() {
  return daemon.exitCode === null && daemon.signalCode === null;
}

/** A daemon that crashes refuses connections a moment before it has ended. */
async function emptyUnlessEnded() {
  try {
    if (isRunning()) return await empty();
  } catch (error) {
    await Promise.race([daemonEnded, delay(patienceMs)]);
    if (isRunning()) return problems.push(`could not empty the daemon: ${String(error)}`);
  }
  problems.push(`the daemon ended by itself, ${howItEnded()}`);
}

/** By what it ended, and what it wrote: from where it says that it crashes, or else last. */
function howItEnded() {
  const lines = content(path.join(directory, 'daemon.log')).trimEnd().split('\n');
  const crash = lines.findIndex((line) => /^(?:panic|fatal error|SIG[A-Z]+):/.test(line));
  const told = crash >= 0 ? lines.slice(crash, crash + linesOfCrash) : lines.slice(-linesOfCrash);
  return `by ${daemon.signalCode ?? `exit code ${daemon.exitCode}`}:\n${told.join('\n')}`;
}

/** Containers and the bridges of networks would outlive the daemon. */
async function empty() {
  for (const { Id } of await request('GET', '/containers/json?all=1')) {
    await request('DELETE', `/containers/${Id}?force=1&v=1`);
  }
  for (const { Id, Name } of await request('GET', '/networks')) {
    if (!builtInNetworks.includes(Name)) await request('DELETE', `/networks/${Id}`);
  }
}

/**
 * @param {string} method
 * @param {string} resource
 * @returns {Promise<any>}
 */
async function request(method, resource) {
  const signal = AbortSignal.timeout(requestMs);
  const sent = http.request({ socketPath, method, path: `/v1.41${resource}`, signal }).end();
  /** @type {[http.IncomingMessage]} */
  const [answer] = /** @type {any} */ (await once(sent, 'response'));
  const chunks = [];
  for await (const chunk of answer) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  if (method === 'GET') return JSON.parse(text);
  // Another request may have removed it in between.
  if ((answer.statusCode ?? 0) >= 300 && answer.statusCode !== 404) throw new Error(`${method} ${resource}: ${text}`);
}

async function endDaemon() {
  if (!isRunning()) return;
  daemon.kill('SIGTERM');
  const timer = setTimeout(() => daemon.kill('SIGKILL'), stopMs);
  await daemonEnded;
  clearTimeout(timer);
}

async function endProcesses() {
  const until = Date.now() + patienceMs;
  for (let left = processes(); left.length > 0; left = processes()) {
    if (Date.now() > until) throw new Error(`still there: ${left.join(', ')}`);
    for (const pid of left) {
      try {
        process.kill(pid, 'SIGKILL');
        thaw(pid);
      } catch {} // It has ended by itself.
    }
    await delay(20);
  }
}

/**
 * In a paused container nothing ends before it goes on, if its control groups are of version 1.
 * @param {number} pid
 */
function thaw(pid) {
  const group = /^\d+:freezer:(\/.+)$/m.exec(content(`/proc/${pid}/cgroup`))?.[1];
  if (group) writeFileSync(`/sys/fs/cgroup/freezer${group}/freezer.state`, 'THAWED');
}

/**
 * The processes whose command line names a file in the directory (the runtime, its shims and monitors), and those whose
 * root file system lies there (containers).
 */
function processes() {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    const named = content(`/proc/${pid}/cmdline`).includes(`${directory}/`);
    const root = mounts(pid).find((line) => line.split(' ')[4] === '/') ?? '';
    return named || root.includes(`${directory}/`) ? [pid] : [];
  });
}

function mountsBelow() {
  return mounts('self').flatMap((line) => {
    const point = line.split(' ')[4] ?? '';
    return point.startsWith(`${directory}/`) ? [point] : [];
  });
}

/** @param {string} point */
function unmount(point) {
  // With a mount below it gone, its own may be gone too.
  if (mountsBelow().includes(point)) execFileSync('umount', ['--lazy', point], { stdio: 'pipe' });
}

/** @param {number | 'self'} pid */
function mounts(pid) {
  return content(`/proc/${pid}/mountinfo`).split('\n');
}

/**
 * Empty when there is no such file: processes come and go.
 * @param {string} file
 */
function content(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
