import { removeMade } from '../sandbox/remove.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { textMemberIn } from '../streams/json.ts';
import type { Transport, WireAnswer } from '../transport/wire.ts';
import type { Target } from './target.ts';
import { workingVersion } from './working-version.ts';

const stepMs = 30_000;

/** A container that finds out whether the target can do something; journalled and labelled like any other. */
export class TrialContainer {
  readonly #transport: Transport;
  readonly #prefix: string;
  readonly #sandbox: Sandbox;
  readonly #name: string;
  readonly #api: Target['serves'][number];
  #startMs: number | undefined;

  constructor(transport: Transport, target: Target, sandbox: Sandbox, name: string) {
    this.#transport = transport;
    this.#api = workingVersion(target.serves);
    this.#prefix = `/v${this.#api}/containers`;
    this.#sandbox = sandbox;
    this.#name = `${sandbox.prefix}${name}`;
  }

  /** How long its start took, in milliseconds; undefined if it was not started. */
  get startMs(): number | undefined {
    return this.#startMs;
  }

  /**
   * Creates and starts it.
   * @returns what the daemon said when it refused; undefined when the container was started
   */
  async start(hostConfig: object, run: readonly string[]): Promise<string | undefined> {
    this.#sandbox.note('container', this.#name);
    const { image, labels } = this.#sandbox;
    const config = { Image: image, Cmd: run, Labels: labels, HostConfig: hostConfig };
    const created = await this.#send('POST', `/create?name=${this.#name}`, config);
    if (created.status !== 201) return `POST /containers/create answers ${said(created)}`;
    const begun = performance.now();
    const started = await this.ask('POST', '/start');
    if (started.status !== 204) return `POST /containers/{id}/start answers ${said(started)}`;
    this.#startMs = Math.ceil(performance.now() - begun);
    return undefined;
  }

  /** @param path what follows the container's name */
  ask(method: string, path: string): Promise<WireAnswer> {
    return this.#send(method, `/${this.#name}${path}`);
  }

  async remove(): Promise<void> {
    const asked = { transport: this.#transport, api: this.#api, boundMs: stepMs };
    // What the daemon does not remove now is removed with the rest of the run.
    await removeMade(asked, this.#sandbox.run, { kind: 'container', name: this.#name }).catch(() => {});
  }

  #send(method: string, path: string, json?: object): Promise<WireAnswer> {
    const body = json && { body: Buffer.from(JSON.stringify(json)) };
    const headers: Record<string, string> = json ? { 'content-type': 'application/json' } : {};
    return this.#transport.exchange({ method, path: this.#prefix + path, headers, ...body }, { wholeMs: stepMs });
  }
}

/** Limit in characters. */
const longestMessage = 200;

/** An answer in one line: of a JSON body its message, where it has one. */
export function said({ status, body }: WireAnswer): string {
  const text = body.toString('utf8').trim();
  const message = textMemberIn(text, 'message') ?? text;
  return `${status} ${message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message}`.trim();
}
