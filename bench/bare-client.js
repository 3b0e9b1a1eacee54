// HTTP over a bare socket: just enough to send recorded requests and to find where the answers end.
import net from 'node:net';

const boundMs = 30_000;

/** Connections are used again while the daemon keeps them open. */
export class BareClient {
  #path;
  #idle = [];

  /** @param {string} socketPath */
  constructor(socketPath) {
    this.#path = socketPath;
  }

  /**
   * Sends one request and reads the whole answer.
   * @returns {Promise<{ status: number, text: string }>}
   */
  async exchange(request) {
    const socket = this.#idle.pop() ?? net.connect(this.#path);
    const { status, headers, body } = await answerOn(socket, request);
    if (headers.includes('connection: close') || !hasEnd(request, headers, status)) socket.destroy();
    else this.#idle.push(socket);
    return { status, text: body.toString('latin1') };
  }

  close() {
    for (const socket of this.#idle) socket.destroy();
  }
}

/** Opens a stream and waits for the head of the answer. @returns {Promise<net.Socket>} */
export async function openStream(socketPath, request) {
  const socket = net.connect({ path: socketPath, allowHalfOpen: true });
  socket.on('error', () => {});
  await bounded(socket, (resolve) => {
    socket.write(requestBytes(request));
    socket.once('data', resolve);
    socket.once('close', resolve);
  });
  socket.resume();
  return socket;
}

function requestBytes({ method, path, headers, body }) {
  const bytes = bytesOf(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    // A body goes whole, though it may have gone in chunks.
    ...headers.flatMap(([name, value]) => (/^transfer-encoding$/i.test(name) ? [] : [`${name}: ${value}`])),
  ];
  if (bytes.length > 0 || method === 'POST' || method === 'PUT') lines.push(`Content-Length: ${bytes.length}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}

/** What was kept of a body; the cut ones are larger than any that is not an archive. */
export function bytesOf({ text, base64 }) {
  return base64 === undefined ? Buffer.from(text ?? '') : Buffer.from(base64, 'base64');
}

/** Whether the answer says where it ends. */
function hasEnd({ method }, headers, status) {
  return (
    method === 'HEAD' || status === 204 || status === 304 || /\r\n(content-length|transfer-encoding):/.test(headers)
  );
}

function answerOn(socket, request) {
  let received = Buffer.alloc(0);
  return bounded(socket, (resolve, reject) => {
    const settle = (answer) => {
      socket.off('data', read).off('error', reject).off('close', closed);
      resolve(answer);
    };
    const read = (chunk) => {
      received = received.length > 0 ? Buffer.concat([received, chunk]) : chunk;
      const answer = wholeAnswer(request, received, false);
      if (answer) settle(answer);
    };
    const closed = () => {
      const answer = wholeAnswer(request, received, true);
      if (answer) settle(answer);
      else reject(new Error('the connection ended before the answer'));
    };
    socket.on('data', read).once('error', reject).once('close', closed);
    socket.write(requestBytes(request));
  });
}

function wholeAnswer({ method }, received, ended) {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = received.toString('latin1', 0, headEnd);
  const status = Number(head.slice(9, 12));
  const headers = head.toLowerCase();
  const body = received.subarray(headEnd + 4);
  const length = /\r\ncontent-length: *(\d+)/.exec(headers)?.[1];
  const isWhole =
    ended ||
    method === 'HEAD' ||
    status === 204 ||
    status === 304 ||
    (length !== undefined && body.length >= Number(length)) ||
    (/\r\ntransfer-encoding: *chunked/.test(headers) && body.subarray(-5).toString('latin1') === '0\r\n\r\n');
  return isWhole ? { status, headers, body } : undefined;
}

function bounded(socket, start) {
  return new Promise((resolve, reject) => {
    const late = () => {
      socket.destroy();
      reject(new Error('no answer in time'));
    };
    const timer = setTimeout(late, boundMs);
    const ended = (settle) => (value) => {
      clearTimeout(timer);
      settle(value);
    };
    start(ended(resolve), ended(reject));
  });
}
