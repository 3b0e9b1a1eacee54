// What single operations take on a daemon, one after another: a run consists of them, so where they take twice as long as
// elsewhere, a run does.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { archive } from '../dist/harness/probe/archive.js';
import { probeImage } from '../dist/harness/probe/image.js';
import { BareClient } from './bare-client.js';

/** Every daemon of the tests answers under it. */
const prefix = '/v1.24';
const times = 14;
const tag = 'ec-bench:operations';
/** How often /proc/stat counts in a second. */
const ticksPerS = 100;

/**
 * Makes an image and containers, and removes them.
 * @param {string} socketPath
 * @returns {Promise<{ what: string, wallMs: number[], cpuMs: number | undefined }[]>} of each operation the wall times, and
 * the CPU time of the whole machine for one, where the system tells it
 */
export async function costsOfOperations(socketPath) {
  const daemon = new Daemon(socketPath);
  const idle = await idleLoad();
  const measure = async (what, operate) => {
    const wallMs = [];
    const [busyBefore, begun] = [busyMs(), performance.now()];
    for (let time = 0; time < times; time++) {
      const before = performance.now();
      await operate(time);
      wallMs.push(performance.now() - before);
    }
    const others = idle * (performance.now() - begun);
    const busy = busyBefore === undefined ? undefined : busyMs() - busyBefore - others;
    return { what, wallMs, cpuMs: busy && busy / times };
  };
  const costs = [];
  try {
    await daemon.load();
    const onHost = await daemon.containers(times, 'host');
    const onOwn = await daemon.containers(times, 'default');
    for (const [what, operate] of [
      ["a start on the host's network", (time) => daemon.start(onHost[time])],
      ['a command in a container', (time) => daemon.exec(onHost[time])],
      ["a kill on the host's network", (time) => daemon.kill(onHost[time])],
      ['a start on a network of its own', (time) => daemon.start(onOwn[time])],
      ['a kill on a network of its own', (time) => daemon.kill(onOwn[time])],
      ['a build of a label', () => daemon.build('LABEL ec.bench=1')],
      ['a build of a command', () => daemon.build('RUN ["/probe", "exit", "0"]')],
      ['a load of an image', () => daemon.load()],
    ]) {
      costs.push(await measure(what, operate));
    }
  } finally {
    await daemon.close();
  }
  return costs;
}

/** A daemon, and what was made on it. */
class Daemon {
  #client;
  #image = probeImage({ architecture: process.arch === 'arm64' ? 'arm64' : 'amd64', tag });
  #made = [];
  #built = new Set();

  constructor(socketPath) {
    this.#client = new BareClient(socketPath);
  }

  async load() {
    const { tar } = await this.#image;
    await this.#post('/images/load', { base64: tar.toString('base64') }, 'application/x-tar');
  }

  /** @returns {Promise<string[]>} the identifiers of new containers */
  async containers(count, mode) {
    const body = { Image: tag, HostConfig: { NetworkMode: mode } };
    const ids = [];
    for (let made = 0; made < count; made++) {
      const { Id } = JSON.parse(await this.#post('/containers/create', { text: JSON.stringify(body) }));
      this.#made.push(Id);
      ids.push(Id);
    }
    return ids;
  }

  start = (id) => this.#post(`/containers/${id}/start`);

  /** Until it has ended. */
  async kill(id) {
    await this.#post(`/containers/${id}/kill`);
    await this.#post(`/containers/${id}/wait`);
  }

  /** Until the command has ended. */
  async exec(id) {
    const body = { Cmd: ['/probe', 'exit', '0'], AttachStdout: true };
    const { Id } = JSON.parse(await this.#post(`/containers/${id}/exec`, { text: JSON.stringify(body) }));
    await this.#post(`/exec/${Id}/start`, { text: JSON.stringify({ Detach: false, Tty: false }) });
  }

  async build(instruction) {
    const buildFile = Buffer.from(`FROM ${tag}\n${instruction}\n`);
    const context = await archive([{ name: 'Dockerfile', mode: 0o644, content: buildFile }], new Date(0));
    const name = `ec-bench-built:${this.#built.size}`;
    this.#built.add(name);
    const path = `/build?nocache=1&forcerm=1&t=${encodeURIComponent(name)}`;
    await this.#post(path, { base64: context.toString('base64') }, 'application/x-tar');
  }

  /** Removes what was made. */
  async close() {
    for (const id of this.#made) await this.#send('DELETE', `/containers/${id}?force=1`);
    for (const name of [...this.#built, tag]) await this.#send('DELETE', `/images/${name}`);
    this.#client.close();
  }

  async #post(path, body, type = 'application/json') {
    const { status, text } = await this.#send('POST', path, body, type);
    // Builds and loads tell in the answer that they failed.
    if (status >= 400 || text.includes('"errorDetail"'))
      throw new Error(`POST ${path} was answered with ${status}: ${text}`);
    return text;
  }

  #send(method, path, body = {}, type = 'application/json') {
    const headers = [['Content-Type', type]];
    return this.#client.exchange({ method, path: `${prefix}${path}`, headers, body });
  }
}

/** The share of one processor that is taken without any operation. */
async function idleLoad() {
  const [before, begun] = [busyMs(), performance.now()];
  await sleep(2_000);
  return before === undefined ? 0 : (busyMs() - before) / (performance.now() - begun);
}

/** The CPU time of all processes since the machine was started; undefined on other systems than Linux. */
function busyMs() {
  if (process.platform !== 'linux') return undefined;
  const [user, nice, system, , , irq, softIrq] = readFileSync('/proc/stat', 'utf8')
    .split(/\s+/)
    .slice(1, 8)
    .map(Number);
  return ((user + nice + system + irq + softIrq) * 1000) / ticksPerS;
}
