// Measures what the proxy adds to a request and takes from an upload; prints milliseconds, factors and MB as JSON.
// Parameter: a directory for its files.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { program } from './command.js';
import { startReference } from './daemons.js';
import { median } from './median.js';

const directory = process.argv[2];
const rounds = 20;
const perRound = 100;
const uploaded = 2 ** 30;
const chunk = Buffer.alloc(256 * 1024, 'x');

const engine = await startReference(directory);
const before = await startProxy(engine.socketPath, 'engine');
const requests = {};
for (const target of ['/v1.23/_ping', '/v1.23/info']) requests[target] = await compareRequests(target);
await before.stop();
await engine.stop();
console.log(JSON.stringify({ requests, upload: await compareUploads() }));

/** Alternates, so that both ways meet the same noise. */
async function compareRequests(target) {
  const ways = { direct: engine.socketPath, through: before.socketPath };
  const taken = { direct: [], through: [] };
  for (let round = 0; round < rounds; round++) {
    for (const [way, socketPath] of Object.entries(ways)) {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      for (let count = 0; count < perRound; count++) {
        const startedAt = performance.now();
        await get(agent, socketPath, target);
        // The first round is for warming up.
        if (round > 0) taken[way].push(performance.now() - startedAt);
      }
      agent.destroy();
    }
  }
  return { directMs: median(taken.direct), throughMs: median(taken.through) };
}

async function compareUploads() {
  const socketPath = path.join(directory, 'sink.sock');
  const sink = http.createServer((request, answer) => request.resume().once('end', () => answer.end('{}')));
  await new Promise((resolve) => sink.listen(socketPath, resolve));
  const proxy = await startProxy(socketPath, 'sink');
  await upload(socketPath);
  const restMb = proxy.peakMb();
  const directMs = await upload(socketPath);
  const throughMs = await upload(proxy.socketPath);
  const grewMb = proxy.peakMb() - restMb;
  await proxy.stop();
  sink.close();
  sink.closeAllConnections();
  return { directMs, throughMs, grewMb };
}

async function startProxy(upstream, name) {
  const socketPath = path.join(directory, `before-${name}.sock`);
  const addresses = ['--upstream', `unix://${upstream}`, '--listen', `unix://${socketPath}`];
  const report = ['--report', path.join(directory, `proxied-${name}`)];
  const child = spawn(process.execPath, [program, 'proxy', ...addresses, ...report], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  await once(child.stdout, 'data');
  child.stdout.resume();
  return {
    socketPath,
    /** Of all that it was so far. */
    peakMb: () => Number(/^VmHWM:\s*(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    async stop() {
      child.kill('SIGINT');
      await once(child, 'close');
    },
  };
}

async function get(agent, socketPath, target) {
  const [answer] = await once(http.get({ agent, socketPath, path: target }), 'response');
  await once(answer.resume(), 'end');
}

async function upload(socketPath) {
  const target = '/v1.23/containers/x/archive?path=/';
  const request = http.request({ socketPath, method: 'PUT', path: target, headers: { 'content-length': uploaded } });
  const answered = once(request, 'response');
  const startedAt = performance.now();
  for (let sent = 0; sent < uploaded; sent += chunk.length) {
    if (!request.write(chunk)) await once(request, 'drain');
  }
  request.end();
  const [answer] = await answered;
  await once(answer.resume(), 'end');
  return performance.now() - startedAt;
}
