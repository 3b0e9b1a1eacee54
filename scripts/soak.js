// Drives the built `serve` with good, bad and hostile requests, and fails when the engine dies, or keeps memory, sockets or
// timers: node scripts/soak.js [requests], 50,000 by default. Run it after a build.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const { lookUntil } = await import(new URL('../dist/harness/engine/look-until.js', import.meta.url).href);
const { probeImage } = await import(new URL('../dist/harness/probe/image.js', import.meta.url).href);
const total = Number(process.argv[2] ?? 50_000);
/** How long the engine may take to end. */
const endMs = 5_000;
const directory = mkdtempSync(path.join(tmpdir(), 'ec-soak-'));
const socketPath = path.join(directory, 'engine.sock');
const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
// SIGUSR2 collects the garbage and prints what is left.
const probe = `data:text/javascript,${encodeURIComponent(`
  import v8 from 'node:v8';
  process.on('SIGUSR2', () => {
    for (let time = 0; time < 3; time++) gc();
    const counts = {};
    for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
    console.log('STATE ' + JSON.stringify({ heap: v8.getHeapStatistics().used_heap_size, counts }));
  });
`)}`;
const args = ['--expose-gc', '--import', probe, main, 'serve', '--listen', `unix://${socketPath}`];
const engine = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
let output = '';
engine.stdout.setEncoding('utf8').on('data', (text) => {
  output += text;
});
let status;
engine.once('exit', (code, signal) => {
  status = code ?? signal;
});

/** One request; whatever comes of it, it ends. @returns the status, 0 when there was none */
function send(method, url, { body, headers = {}, dropMs } = {}) {
  return new Promise((resolve) => {
    const request = http.request({ socketPath, method, path: url, headers, agent: false }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => {
        text += chunk;
      });
      answer.once('error', () => resolve({ status: 0, text }));
      answer.once('close', () => resolve({ status: answer.statusCode ?? 0, text }));
      if (dropMs !== undefined) setTimeout(() => request.destroy(), dropMs);
    });
    request.once('error', () => resolve({ status: 0, text: '' }));
    request.once('upgrade', (_answer, socket) => {
      setTimeout(() => socket.destroy(), dropMs ?? 0);
      socket.once('close', () => resolve({ status: 101, text: '' })).on('error', () => {});
    });
    if (dropMs !== undefined) setTimeout(() => request.destroy(), dropMs + 200).unref();
    request.end(body);
  });
}

/** Bytes that need not be HTTP, and the end of the connection. */
function sendRaw(bytes) {
  return new Promise((resolve) => {
    const socket = net.connect(socketPath, () => socket.write(bytes));
    socket.on('error', () => {}).once('close', () => resolve({ status: 0, text: '' }));
    socket.resume();
    setTimeout(() => socket.destroy(), 5);
  });
}

const json = { 'content-type': 'application/json' };
let made = 0;
let image = '';

async function loadImage() {
  image = `soak-${process.pid}`;
  const { tar } = await probeImage({ architecture: 'amd64', tag: `${image}:latest`, labels: {} });
  await send('POST', '/v1.23/images/load', { body: tar });
}

const container = (more = {}) => ({ body: JSON.stringify({ Image: image, Cmd: ['forever'], ...more }), headers: json });

/** Each gives the number of requests that it made. */
const kinds = [
  async () => {
    const name = `soak-${made++}`;
    await send('POST', `/v1.23/containers/create?name=${name}`, container());
    await send('POST', `/v1.23/containers/${name}/start`);
    await send('GET', `/v1.23/containers/${name}/json`);
    await send('GET', `/v1.20/containers/${name}/stats`, { dropMs: 3 });
    await send('POST', `/v1.23/containers/${name}/attach?stream=1&stdout=1`, {
      headers: { connection: 'Upgrade', upgrade: 'tcp' },
      dropMs: 2,
    });
    await send('GET', `/v1.23/containers/${name}/logs?stdout=1&follow=1`, { dropMs: 2 });
    await send('POST', `/v1.23/containers/${name}/wait`, { dropMs: 2 });
    await send('DELETE', `/v1.23/containers/${name}?force=1&v=1`);
    return 8;
  },
  async () => {
    const name = `soak-${made++}`;
    await send('POST', '/v1.23/volumes/create', { body: JSON.stringify({ Name: name }), headers: json });
    await send('DELETE', `/v1.23/volumes/${name}`);
    await send('POST', '/v1.23/networks/create', { body: JSON.stringify({ Name: name }), headers: json });
    await send('DELETE', `/v1.23/networks/${name}`);
    return 4;
  },
  async () => {
    await send('GET', '/v1.23/containers/json?all=1');
    await send('GET', '/v1.21/info');
    await send('GET', '/v1.20/images/json?filters={', {});
    await send('GET', '/v1.23/events', { dropMs: 2 });
    return 4;
  },
  async () => {
    await send('POST', '/v1.23/containers/create', { body: '{"Image":', headers: json });
    await send('POST', '/v1.23/containers/create', { body: '['.repeat(10_000), headers: json });
    await send('POST', '/v1.23/containers/create', container({ HostConfig: { Memory: 'much', Binds: [7] } }));
    await send('POST', '/v1.23/build', {
      body: Buffer.alloc(2_000, 7),
      headers: { 'content-type': 'application/x-tar' },
    });
    await send('POST', '/v1.23/images/load', { body: Buffer.alloc(700, 'x') });
    return 5;
  },
  async () => {
    await sendRaw(`GET /v1.23/info HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`);
    await sendRaw('POST /v1.23/containers/create HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
    await sendRaw('POST /v1.23/images/load HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n');
    await sendRaw(Buffer.from([0x16, 3, 1, 0, 0xff, 0xfe, 0, 0]));
    return 4;
  },
];

async function work(until) {
  while (sent < until && status === undefined) {
    const kind = kinds[turn++ % kinds.length];
    // Added afterwards, as others add to it meanwhile.
    const more = (await kind?.()) ?? 0;
    sent += more;
  }
}

/** Waits until the engine has written something, or has ended. */
function outputOrEnd(isWritten) {
  return lookUntil(
    async () => isWritten() || status !== undefined,
    (seen) => seen,
    Number.POSITIVE_INFINITY,
  );
}

async function state() {
  // What was dropped is noticed in a moment.
  await delay(2_000);
  const before = output.length;
  engine.kill('SIGUSR2');
  await outputOrEnd(() => /STATE .*\n/.test(output.slice(before)));
  const [, text = '{}'] = /STATE (.*)/.exec(output.slice(before)) ?? [];
  const files = readdirSync(`/proc/${engine.pid}/fd`).length;
  const [, rss = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${engine.pid}/status`, 'utf8')) ?? [];
  return { requests: sent, ...JSON.parse(text), files, rssMiB: Math.round(Number(rss) / 1024) };
}

let sent = 0;
let turn = 0;
const problems = [];
try {
  await outputOrEnd(() => output.includes('listens on'));
  await loadImage();
  const name = `soak-${made++}`;
  await send('POST', `/v1.23/containers/create?name=${name}`, container());
  const started = await send('POST', `/v1.23/containers/${name}/start`);
  // Else the soak would be one of refusals only.
  if (started.status !== 204) problems.push(`a container was not started: ${started.status} ${started.text}`);
  await send('DELETE', `/v1.23/containers/${name}?force=1`);
  const states = [];
  for (const share of [0.2, 1]) {
    await Promise.all(Array.from({ length: 16 }, () => work(total * share)));
    if (status !== undefined) break;
    states.push(await state());
    console.log(JSON.stringify(states.at(-1)));
  }
  const [first, last] = states;
  if (status !== undefined) problems.push(`the engine ended with ${status}`);
  if (first && last) {
    // It keeps some thousand events; a kilobyte for each request is more.
    const most = first.heap * 1.1 + 2.5 * 2 ** 20;
    if (last.heap > most) problems.push(`the heap grew from ${first.heap} to ${last.heap} bytes`);
    if (last.files > first.files + 5) problems.push(`open files grew from ${first.files} to ${last.files}`);
    if ((last.counts.Timeout ?? 0) > (first.counts.Timeout ?? 0) + 5) problems.push('timers were left');
    const lists = await Promise.all(['containers/json?all=1', 'volumes'].map((at) => send('GET', `/v1.23/${at}`)));
    if (lists.some((list) => list.status !== 200 || list.text.includes('soak-'))) problems.push('something was left');
  }
} finally {
  engine.kill('SIGINT');
  await lookUntil(
    async () => status !== undefined,
    (ended) => ended,
    endMs,
  );
  if (status === undefined) engine.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
