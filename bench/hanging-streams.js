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
  /** Of the current answer: what there is of an unfinished head, and how much of the body is still to come. */
  #head = Buffer.alloc(0);
  #left = 0;

  asked(bytes) {
    const [, method, path] = /^([A-Z]+) (\S+) HTTP\/1\.[01]\r\n/.exec(bytes.toString('latin1')) ?? [];
    if (!method) return;
    this.#asked = { method, path };
    this.#left = 0;
  }

  /** What of these bytes of the daemon is passed on. */
  passed(bytes) {
    if (this.hangs) return Buffer.alloc(0);
    if (this.#left > 0) {
      const body = bytes.subarray(0, this.#left);
      this.#left -= body.length;
      return Buffer.concat([body, this.#rest(bytes.subarray(body.length))]);
    }
    this.#head = Buffer.concat([this.#head, bytes]);
    const at = this.#head.indexOf(headEnd);
    if (at < 0) return Buffer.alloc(0);
    const end = at + headEnd.length;
    const [head, rest] = [this.#head.subarray(0, end), this.#head.subarray(end)];
    this.#head = Buffer.alloc(0);
    const text = head.toString('latin1');
    const status = Number(text.split(' ')[1]);
    const { method, path } = this.#asked;
    const endpoint = engineRoutes.find(method, path);
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? Number.NaN);
    const hasBody = status !== 100 && status !== 204 && length !== 0;
    this.hangs = status < 400 && hasBody && endpoint !== undefined && answersWithStream(endpoint);
    if (this.hangs) return head;
    const isChunked = /\r\ntransfer-encoding: *chunked/i.test(text);
    this.#left = method === 'HEAD' ? 0 : isChunked ? Number.POSITIVE_INFINITY : length || 0;
    return Buffer.concat([head, this.#rest(rest)]);
  }

  #rest(bytes) {
    return bytes.length > 0 ? this.passed(bytes) : bytes;
  }
}
