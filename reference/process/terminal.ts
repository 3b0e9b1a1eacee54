import { InputPipe } from './input-pipe.ts';

/** Rows and columns. */
export interface WindowSize {
  readonly rows: number;
  readonly columns: number;
}

const del = 0x7f;

/**
 * A pseudo-terminal with the line discipline of a Linux tty: in cooked mode lines are edited and echoed, CR becomes NL
 * on input and NL becomes CR NL on output, and the usual control characters work.
 */
export class Terminal {
  /** What the foreground process reads. */
  readonly input = new InputPipe();
  size: WindowSize;
  #raw = false;
  #line: number[] = [];
  #literal = false;
  readonly #echo: (data: Buffer) => Promise<void> | undefined;
  readonly #signal: (signal: number) => void;
  readonly #resized = new Set<() => void>();

  constructor(options: {
    size: WindowSize;
    /** Receives what the terminal shows. */
    echo: (data: Buffer) => Promise<void> | undefined;
    /** Sends a signal to the foreground process. */
    signal: (signal: number) => void;
  }) {
    this.size = options.size;
    this.#echo = options.echo;
    this.#signal = options.signal;
  }

  /** Raw mode without echo: bytes pass unchanged in both directions. */
  setRaw(): void {
    this.#raw = true;
    if (this.#line.length > 0) this.#submit();
  }

  resize(size: WindowSize): void {
    this.size = size;
    for (const action of [...this.#resized]) action();
  }

  onResize(action: () => void): () => void {
    this.#resized.add(action);
    return () => this.#resized.delete(action);
  }

  /** A process's output as it leaves the terminal. */
  output(data: Buffer): Buffer {
    if (this.#raw || !data.includes(0x0a)) return data;
    return Buffer.from(data.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
  }

  /** What the user typed. */
  type(data: Buffer): Promise<void> | undefined {
    if (this.#raw) return this.input.push(data);
    const shown: number[] = [];
    for (const byte of data) this.#typeByte(byte, shown);
    const echoed = shown.length > 0 ? this.#echo(Buffer.from(shown)) : undefined;
    return this.input.full() ?? echoed;
  }

  #typeByte(typed: number, shown: number[]): void {
    const byte = typed === 0x0d && !this.#literal ? 0x0a : typed;
    if (this.#literal) {
      this.#literal = false;
      this.#keep(byte, shown);
    } else if (byte === 0x0a) {
      shown.push(0x0d, 0x0a);
      this.#line.push(byte);
      this.#submit();
    } else if (byte === 0x04) {
      if (this.#line.length > 0) this.#submit();
      else this.input.pushEnd();
    } else if (byte === 0x03 || byte === 0x1c || byte === 0x1a) {
      showControl(byte, shown);
      this.#line = [];
      this.#signal(byte === 0x03 ? 2 : byte === 0x1c ? 3 : 20);
    } else if (byte === del) {
      this.#erase(shown);
    } else if (byte === 0x15) {
      while (this.#line.length > 0) this.#erase(shown);
    } else if (byte === 0x17) {
      while (this.#line.at(-1) === 0x20) this.#erase(shown);
      while (this.#line.length > 0 && this.#line.at(-1) !== 0x20) this.#erase(shown);
    } else if (byte === 0x16) {
      this.#literal = true;
      shown.push(0x5e, 0x08);
    } else {
      this.#keep(byte, shown);
    }
  }

  #keep(byte: number, shown: number[]): void {
    // The kernel keeps at most 4095 bytes of a line and drops the rest.
    if (this.#line.length < 4095) this.#line.push(byte);
    if (byte === 0x09 || byte >= 0x20) shown.push(byte);
    else showControl(byte, shown);
  }

  #erase(shown: number[]): void {
    const byte = this.#line.pop();
    if (byte === undefined) return;
    const width = byte < 0x20 && byte !== 0x09 ? 2 : 1;
    for (let i = 0; i < width; i += 1) shown.push(0x08, 0x20, 0x08);
  }

  #submit(): void {
    void this.input.push(Buffer.from(this.#line));
    this.#line = [];
  }
}

function showControl(byte: number, shown: number[]): void {
  shown.push(0x5e, byte ^ 0x40);
}
