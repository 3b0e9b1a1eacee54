import { badParameter } from '../../errors.ts';

/** The default keys that end an attachment: ctrl-p ctrl-q. */
export const defaultDetachKeys = Buffer.from([0x10, 0x11]);

/**
 * Reads a key sequence: keys separated by commas, each a letter or ctrl-<value> with a value of a-z @ ^ [ , _ (Document
 * 1, Limits). Throws 400.
 */
export function parseDetachKeys(text: string): Buffer {
  const bytes: number[] = [];
  let rest = text;
  for (;;) {
    const key = /^(?:ctrl-([a-z@^[,_])|([a-zA-Z]))(?:,|$)/.exec(rest);
    if (!key) throw badParameter(`detachKeys: ${JSON.stringify(text)} is no sequence of keys`);
    const [whole, control, letter] = key;
    bytes.push(control ? controlCode(control) : (letter ?? '').charCodeAt(0));
    if (!whole.endsWith(',') || whole === 'ctrl-,') {
      if (rest.length === whole.length) return Buffer.from(bytes);
    }
    rest = rest.slice(whole.length);
  }
}

function controlCode(value: string): number {
  // A comma has no control character of its own: it gets the unused code after ctrl-[.
  return value === ',' ? 0x1c : value.toUpperCase().charCodeAt(0) & 0x1f;
}

/** Looks for a key sequence in a client's input; an incomplete match is passed on later. */
export class DetachWatcher {
  readonly #keys: Buffer;
  #matched = 0;

  constructor(keys: Buffer) {
    this.#keys = keys;
  }

  /** The bytes to pass on, and whether the sequence is complete. */
  watch(data: Buffer): { pass: Buffer; detached: boolean } {
    const pass: number[] = [];
    for (const byte of data) {
      if (byte === this.#keys[this.#matched]) {
        this.#matched += 1;
        if (this.#matched === this.#keys.length) return { pass: Buffer.from(pass), detached: true };
        continue;
      }
      pass.push(...this.#keys.subarray(0, this.#matched));
      this.#matched = byte === this.#keys[0] ? 1 : 0;
      if (this.#matched === 0) pass.push(byte);
    }
    return { pass: Buffer.from(pass), detached: false };
  }
}
