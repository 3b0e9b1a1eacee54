// A relay before a daemon behind which no stream ever delivers anything: of answers that are streams by the contract only
// the head is passed on. Refusals and all other answers pass unchanged.
import { rmSync } from 'node:fs';
import net from 'node:net';
import { answersWithStream } from '../dist/specs/endpoint.js';
import { engineRoutes } from '../dist/specs/known-routes.js';

const headEnd = Buffer.from('\r\n\r\n');

/**
 * @param {string} socketPath where the relay listens
 * @param {string} daemonPath socket of the daemon
 * @returns {Promise<{ stop(): Promise<void> }>}
 */
export async function startHangingRelay(socketPath, daemonPath) {
  rmSync(socketPath, { force: true });
  const open = new Set();
  const server = net.createServer({ allowHalfOpen: true }, (client) => {
    const daemon = net.connect({ path: daemonPath, allowHalfOpen: true });
    const answers = new Answers();
    for (const socket of [client, daemon]) {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      socket.on('error', () => {});
    }
    client.on('data', (bytes) => answers.asked(bytes));
    client.pipe(daemon);
    daemon.on('data', (bytes) => client.write(answers.passed(bytes)));
    // The end of a stream is withheld like the stream.
    daemon.once('end', () => answers.hangs || client.end());
    client.once('close', () => daemon.destroy());
    daemon.once('close', () => answers.hangs || client.destroy());
  });
  await new Promise((resolve) => server.listen(socketPath, resolve));
  const stop = async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { stop };
}

/** Follows the answers on one connection, on which one request waits for its answer at a time. */
class Answers {
  hangs = false;
  #asked = { method: '', path: '' };
  /** What there is of an unfinished head; undefined once it has been passed on. */
  #head;

  asked(bytes) {
    const [, method, path] = /^([A-Z]+) (\S+) HTTP\/1\.[01]\r\n/.exec(bytes.toString('latin1')) ?? [];
    if (!method) return;
    this.#asked = { method, path };
    this.#head = Buffer.alloc(0);
  }

  /** What of these bytes of the daemon is passed on. */
  passed(bytes) {
    if (this.hangs) return Buffer.alloc(0);
    if (!this.#head) return bytes;
    const come = Buffer.concat([this.#head, bytes]);
    const at = come.indexOf(headEnd);
    this.#head = at < 0 ? come : undefined;
    if (at < 0) return Buffer.alloc(0);
    const head = come.subarray(0, at + headEnd.length);
    this.hangs = isOfStream(this.#asked, head.toString('latin1'));
    return this.hangs ? head : come;
  }
}

/** Whether an answer with this head is a stream by the contract: no refusal, and not empty. */
function isOfStream({ method, path }, head) {
  const status = Number(head.split(' ')[1]);
  const isEmpty = status === 204 || /\r\ncontent-length: *0\r\n/i.test(head);
  const endpoint = engineRoutes.find(method, path);
  return status < 400 && !isEmpty && endpoint !== undefined && answersWithStream(endpoint);
}
