import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack } from 'tar-stream';
import { type ReferenceEngine, type ReferenceEngineOptions, startReferenceEngine } from '../../reference/index.ts';

/** An answer with its body read to the end. */
export class Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;

  constructor(status: number, headers: IncomingHttpHeaders, text: string) {
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  /** The JSON body. */
  get json(): unknown {
    return JSON.parse(this.text);
  }

  /** A value inside the JSON body; undefined when there is none. */
  at(...path: (string | number)[]): unknown {
    return path.reduce<unknown>((value, key) => {
      return typeof value === 'object' && value !== null
        ? Object.entries(value).find(([k]) => k === `${key}`)?.[1]
        : undefined;
    }, this.json);
  }
}

/** A reference engine on a socket of its own, and a client of it. */
export class TestEngine {
  readonly engine: ReferenceEngine;
  readonly socketPath: string;
  readonly #directory: string;

  constructor(engine: ReferenceEngine, socketPath: string, directory: string) {
    this.engine = engine;
    this.socketPath = socketPath;
    this.#directory = directory;
  }

  async close(): Promise<void> {
    await this.engine.close();
    await rm(this.#directory, { recursive: true, force: true });
  }

  /** Sends one request; an object becomes JSON, a Buffer is sent as tar. */
  send(
    method: string,
    path: string,
    body?: object | Buffer | string,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const isTar = Buffer.isBuffer(body);
    const data = body === undefined || isTar || typeof body === 'string' ? body : JSON.stringify(body);
    const type = isTar ? 'application/x-tar' : 'application/json';
    return new Promise((resolve, reject) => {
      const options = { socketPath: this.socketPath, method, path };
      const req = request({ ...options, headers: data === undefined ? headers : { 'Content-Type': type, ...headers } });
      req.on('error', reject);
      req.on('response', (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('error', reject);
        res.on('end', () => {
          const answer = new Answer(res.statusCode ?? 0, res.headers, Buffer.concat(chunks).toString());
          // An answer may come before the whole body is sent.
          if (req.writableFinished) resolve(answer);
          else req.once('finish', () => resolve(answer));
        });
      });
      req.end(data);
    });
  }

  /** Gets (or, with a body, posts) and answers the bytes of the body. */
  download(path: string, body?: object): Promise<{ status: number; headers: IncomingHttpHeaders; bytes: Buffer }> {
    return new Promise((resolve, reject) => {
      const headers = body ? { 'Content-Type': 'application/json' } : {};
      const req = request({ socketPath: this.socketPath, method: body ? 'POST' : 'GET', path, headers }, (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('error', reject);
        res.on('end', () =>
          resolve({ status: res.statusCode ?? 0, headers: res.headers, bytes: Buffer.concat(chunks) }),
        );
      });
      req.on('error', reject);
      req.end(body && JSON.stringify(body));
    });
  }

  /** Creates a container of the probe image and answers its identifier. */
  async create(steps: readonly string[], more: object = {}, api = '1.23'): Promise<string> {
    const answer = await this.send('POST', `/v${api}/containers/create`, { Image: 'probe', Cmd: steps, ...more });
    if (answer.status !== 201) throw new Error(`create: ${answer.status} ${answer.text}`);
    return String(answer.at('Id'));
  }

  /** Creates and starts a container. */
  async run(steps: readonly string[], more: object = {}, api = '1.23'): Promise<string> {
    const id = await this.create(steps, more, api);
    const answer = await this.send('POST', `/v${api}/containers/${id}/start`);
    if (answer.status !== 204) throw new Error(`start: ${answer.status} ${answer.text}`);
    return id;
  }

  async wait(id: string): Promise<unknown> {
    return (await this.send('POST', `/v1.23/containers/${id}/wait`)).at('StatusCode');
  }

  /** Runs the steps to their end and answers what they wrote to stdout. */
  async output(steps: readonly string[], more: object = {}): Promise<string> {
    const id = await this.run(steps, { ...more, Tty: true });
    await this.wait(id);
    const text = (await this.send('GET', `/v1.23/containers/${id}/logs?stdout=1`)).text.replaceAll('\r\n', '\n');
    await this.send('DELETE', `/v1.23/containers/${id}`);
    return text;
  }

  /** Opens a raw connection and sends a request head, then waits for the answer's head. */
  async raw(head: readonly string[], more: Buffer | string = ''): Promise<RawStream> {
    const socket = connect({ path: this.socketPath, allowHalfOpen: true });
    const stream = new RawStream(socket);
    socket.write(`${head.join('\r\n')}\r\nHost: engine\r\n\r\n${more}`);
    stream.head = (await stream.until('\r\n\r\n')).toString();
    return stream;
  }
}

/** Bytes of a raw connection, read piece by piece. */
export class RawStream {
  readonly socket: Socket;
  head = '';
  ended = false;
  #received = Buffer.alloc(0);
  #changed = (): void => {};

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#changed();
    });
    const end = (): void => {
      this.ended = true;
      this.#changed();
    };
    socket.on('end', end);
    socket.on('error', end);
    socket.on('close', end);
  }

  /** The bytes up to and including `text`; rejects when the connection ends first. */
  async until(text: string): Promise<Buffer> {
    for (;;) {
      const at = this.#received.indexOf(text);
      if (at >= 0) return this.#take(at + text.length);
      if (this.ended) throw new Error(`the connection ended after ${JSON.stringify(this.#received.toString())}`);
      await this.#change();
    }
  }

  /** All bytes up to the end of the connection. */
  async rest(): Promise<Buffer> {
    while (!this.ended) await this.#change();
    return this.#take(this.#received.length);
  }

  #take(count: number): Buffer {
    const taken = this.#received.subarray(0, count);
    this.#received = this.#received.subarray(count);
    return taken;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#changed = resolve;
    });
  }
}

/** A tar archive of the given files; a null is a directory. */
export async function tar(files: Readonly<Record<string, string | Buffer | null>>, mode = 0o755): Promise<Buffer> {
  const archive = pack();
  for (const [name, data] of Object.entries(files)) {
    if (data === null) archive.entry({ name, type: 'directory', mode: 0o755 });
    else archive.entry({ name, mode }, data);
  }
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const probe = '\x7fELF engine-conformance-probe/1';

/** The probe's image in the layout with a manifest.json. */
async function probeImage(config: object = { Entrypoint: ['/probe'] }): Promise<Buffer> {
  const passwd = 'root:x:0:0::/root:\nuser:x:1000:1000::/home/user:\n';
  const group = 'root:x:0:\nuser:x:1000:\nextra:x:50:user\n';
  const layer = await tar({ probe, other: 'text', 'etc/passwd': passwd, 'etc/group': group, 'data/file': 'kept' });
  const json = JSON.stringify({ created: '2020-01-02T03:04:05Z', os: 'linux', architecture: 'amd64', config });
  const manifest = JSON.stringify([{ Config: 'config.json', RepoTags: ['probe:latest'], Layers: ['layer.tar'] }]);
  return tar({ 'config.json': json, 'layer.tar': layer, 'manifest.json': manifest });
}

/** Starts an engine with the probe's image. */
export async function startEngine(options: Partial<ReferenceEngineOptions> = {}): Promise<TestEngine> {
  const directory = await mkdtemp(join(tmpdir(), 'reference-'));
  const socketPath = join(directory, 'engine.sock');
  const engine = await startReferenceEngine({ ...options, listen: { socketPath } });
  const tested = new TestEngine(engine, socketPath, directory);
  const loaded = await tested.send('POST', '/v1.23/images/load', await probeImage());
  if (loaded.status !== 200 || !loaded.text.includes('probe:latest')) throw new Error(`load: ${loaded.text}`);
  return tested;
}
