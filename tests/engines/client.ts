import { Client } from 'undici';

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Plain requests to a daemon, independent of the kit's own transport. */
export class DaemonClient {
  readonly #client: Client;

  /** @param socket `unix:///path` */
  constructor(socket: string) {
    this.#client = new Client('http://localhost', {
      socketPath: socket.replace('unix://', ''),
      headersTimeout: 60_000,
    });
  }

  async send(method: 'GET' | 'POST' | 'DELETE', path: string, body?: Buffer | object): Promise<Answer> {
    const tar = Buffer.isBuffer(body);
    const answer = await this.#client.request({
      method,
      path,
      ...(body && {
        headers: { 'content-type': tar ? 'application/x-tar' : 'application/json' },
        body: tar ? body : JSON.stringify(body),
      }),
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  }

  /** @throws Error when the answer is not a success */
  async json(method: 'GET' | 'POST' | 'DELETE', path: string, body?: Buffer | object): Promise<unknown> {
    return successful(`${method} ${path}`, await this.send(method, path, body));
  }

  /**
   * What is at a path, or `undefined` when nothing is.
   * @throws Error when the answer is neither a success nor 404
   */
  async lookFor(path: string): Promise<unknown> {
    const answer = await this.send('GET', path);
    return answer.status === 404 ? undefined : successful(`GET ${path}`, answer);
  }

  /** The items of an answer that is a list, or whose `member` is one; `null` counts as an empty list. */
  async list(path: string, member?: string): Promise<Record<string, unknown>[]> {
    const answer = await this.json('GET', path);
    const items: unknown = (member ? Object(answer)[member] : answer) ?? [];
    if (!Array.isArray(items)) throw new Error(`GET ${path} answered no list`);
    return items.map((item: unknown) => ({ ...Object(item) }));
  }

  close(): Promise<void> {
    return this.#client.destroy();
  }
}

function successful(request: string, { status, text }: Answer): unknown {
  if (status >= 300) throw new Error(`${request} answered ${status}: ${text.trim()}`);
  return text === '' ? undefined : JSON.parse(text);
}
