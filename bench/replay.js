// Sends the exchanges of a run once more over bare sockets. Called with the file of the exchanges, the daemon's socket
// and the number of sequences at once; prints how long it took, as JSON.
//
// The requests of one check go one after another, or at once where they did in the run; different checks go at once. A
// request that names a shared fixture waits for what had been done to that by then in the run. Where a request names an
// identifier that the daemon gave, it names the one that this daemon gave in its place. Nothing is judged, and the
// content of a stream is not waited for. What a sequence made is removed in its end, as in a run. The registries and
// files that the suite serves are not there, so pulls and pushes fail at once.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Journal } from '../dist/harness/sandbox/journal.js';
import { loadProbe } from '../dist/harness/sandbox/probe-image.js';
import { Sandbox } from '../dist/harness/sandbox/sandbox.js';
import { parseAddress } from '../dist/harness/target/address.js';
import { identify } from '../dist/harness/target/identify.js';
import { undiciTransport } from '../dist/harness/transport/undici-transport.js';
import { BareClient, bytesOf, openStream } from './bare-client.js';
import { idsIn } from './whole-run.js';

const [file = '', socketPath = '', concurrency = '8'] = process.argv.slice(2);
const exchanges = JSON.parse(readFileSync(file, 'utf8'));
await loadImage(exchanges);
/** The identifier that this daemon gave in the place of the recorded one. */
const given = new Map();
const sequences = new Map();
for (const one of exchanges.toSorted((a, b) => a.begunMs - b.begunMs)) {
  const name = sequenceOf(one);
  sequences.set(name, [...(sequences.get(name) ?? []), one]);
}
const [shared, own] = [[], []];
for (const [name, sequence] of sequences) (name.startsWith('shared fixtures') ? shared : own).push(sequence);
const sharedOf = sharedByName();

let failed = 0;
const removals = [];
const startedAt = performance.now();
const waiting = own.values();
await Promise.all([
  ...shared.map(async (sequence) => removals.push(await replay(sequence))),
  ...Array.from({ length: Number(concurrency) }, async () => {
    for (const sequence of waiting) await (await replay(sequence))();
  }),
]);
for (const remove of removals) await remove();
console.log(JSON.stringify({ replayMs: performance.now() - startedAt, failed }));
process.exit();

function sequenceOf({ madeFor, request }) {
  return madeFor.startsWith('shared') ? madeFor : `${madeFor} ${/^\/v[\d.]+/.exec(request.path)?.[0]}`;
}

/** @returns removes what the sequence made */
async function replay(sequence) {
  const client = new BareClient(socketPath);
  const streams = [];
  const send = async ({ request, sent, isLive, ids, begunMs, endedMs }) => {
    // The end of input is not recorded, and a container may wait for it to exit.
    for (const stream of streams) if (stream.endedMs <= begunMs) stream.socket.end();
    const body = request.body.text === undefined ? request.body : { text: renamed(request.body.text) };
    const asked = { ...request, path: renamed(request.path), body };
    try {
      if (isLive) {
        const socket = await openStream(socketPath, asked);
        streams.push({ socket, endedMs });
        for (const piece of sent) socket.write(bytesOf(piece));
      } else {
        learn(ids, (await client.exchange(asked)).text);
      }
    } catch {
      failed++;
    }
  };
  const answered = [];
  for (const one of sequence) {
    // What the check had begun, but had no answer to, when it began this one does not hold it up here either.
    const before = sequence.flatMap((other, place) => (other.endedMs <= one.begunMs ? (answered[place] ?? []) : []));
    answered.push(
      Promise.all([...before, ...sharedBefore(one)])
        .then(() => send(one))
        .then(one.tellAnswered),
    );
  }
  await Promise.all(answered);
  for (const { socket } of streams) socket.destroy();
  return async () => {
    for (const [kind, name] of madeIn(sequence).reverse()) {
      const query = { containers: '?force=1&v=1', images: '?force=1' }[kind] ?? '';
      const path = `/v1.23/${kind}/${encodeURIComponent(name)}${query}`;
      await client.exchange({ method: 'DELETE', path, headers: [], body: {} }).catch(() => failed++);
    }
    client.close();
  };
}

/** The exchanges of shared fixtures by the names and identifiers of what they are about; each tells when it is answered again. */
function sharedByName() {
  const byName = new Map();
  for (const one of shared.flat()) {
    one.answered = new Promise((resolve) => {
      one.tellAnswered = resolve;
    });
    for (const name of [...namesIn(one), ...one.ids]) byName.set(name, [...(byName.get(name) ?? []), one]);
  }
  return byName;
}

/** What was done in the run to the shared fixtures that a request names, when it was sent. */
function sharedBefore(one) {
  const about = namesIn(one).flatMap((name) => sharedOf.get(name) ?? []);
  return about.flatMap((other) => (other.endedMs <= one.begunMs && other.begunMs < one.begunMs ? other.answered : []));
}

/** Without the name of the image of the run's containers, which is there from the start. */
function namesIn({ request: { path, body } }) {
  return [...new Set(`${path} ${body.text ?? ''}`.match(/\b[0-9a-f]{64}\b|\bec-[0-9a-z]+-[0-9a-z]+\b(?<!-probe)/g))];
}

function learn(recorded, text) {
  const now = idsIn(text);
  // Of a list it is not known which is which.
  if (recorded.length === 1 && now.length === 1) given.set(recorded[0], now[0]);
}

function renamed(text) {
  return text.replace(/\b[0-9a-f]{64}\b/g, (id) => given.get(id) ?? id);
}

/** Kind and name of all that the requests were to make. */
function madeIn(sequence) {
  return sequence.flatMap(({ request: { method, path, body } }) => {
    if (method !== 'POST') return [];
    const query = new URLSearchParams(path.split('?')[1]);
    const inBody = /"Name":"(ec-[^"]+)"/.exec(body.text ?? '')?.[1];
    if (path.includes('/containers/create')) return query.has('name') ? [['containers', query.get('name')]] : [];
    if (path.includes('/networks/create')) return inBody ? [['networks', inBody]] : [];
    if (path.includes('/volumes/create')) return inBody ? [['volumes', inBody]] : [];
    const repository = query.get('repo') ?? query.get('t');
    return /\/(commit|build|tag)\b/.test(path) && repository ? [['images', repository]] : [];
  });
}

/** The image of the run's containers, under the name that it had in the run. */
async function loadImage(recorded) {
  const text = recorded
    .map(({ request }) => request.body.text ?? '')
    .find((body) => /"ec-\w+-probe:latest"/.test(body));
  const run = /"ec-(\w+)-probe:latest"/.exec(text ?? '')?.[1] ?? '';
  const directory = mkdtempSync(path.join(tmpdir(), 'ec-replay-'));
  const address = parseAddress(`unix://${socketPath}`);
  const transport = undiciTransport(address);
  const target = await identify(transport, address, 'auto', 10_000);
  const problem = await loadProbe(transport, target, new Sandbox(new Journal(directory, run)));
  rmSync(directory, { recursive: true });
  await transport.close();
  if (problem !== undefined) throw new Error(problem);
}
