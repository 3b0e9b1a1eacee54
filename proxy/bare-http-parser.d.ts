/** The part of bare-http-parser that the observer uses; the package has no types. */
declare module 'bare-http-parser' {
  type Headers = Readonly<Record<string, string | readonly string[]>>;

  type Operation =
    | { readonly type: 1; readonly method: string; readonly url: string; readonly headers: Headers }
    | { readonly type: 2; readonly code: number; readonly headers: Headers }
    | { readonly type: 3; readonly data: Buffer }
    | { readonly type: 4 };

  class HTTPParser {
    /** @param options 0 turns a limit off */
    constructor(options?: { maxHeaderSize?: number; maxHeadersCount?: number });
    /** The next answer has no body, whatever its head says. */
    skipBody(): void;
    /** @throws Error at bytes that are not HTTP, and again at every later call */
    push(data: Buffer): Iterable<Operation>;
    /** The connection ended. @throws Error inside a message */
    end(): Iterable<Operation>;
    /** Removes and returns the bytes that were pushed but not read. */
    drain(): Buffer;

    static readonly constants: { readonly REQUEST: 1; readonly RESPONSE: 2; readonly DATA: 3; readonly END: 4 };
  }

  export = HTTPParser;
}
