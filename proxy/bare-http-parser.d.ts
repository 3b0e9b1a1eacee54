/** What the observer uses of bare-http-parser, which has no types of its own. */
declare module 'bare-http-parser' {
  type Headers = Readonly<Record<string, string | readonly string[]>>;

  type Operation =
    | { readonly type: 1; readonly method: string; readonly url: string; readonly headers: Headers }
    | { readonly type: 2; readonly code: number; readonly headers: Headers }
    | { readonly type: 3; readonly data: Buffer }
    | { readonly type: 4 };

  class HTTPParser {
    /** @param options 0 turns a bound off */
    constructor(options?: { maxHeaderSize?: number; maxHeadersCount?: number });
    /** The next answer has no body, whatever its head says. */
    skipBody(): void;
    /** @throws Error at bytes that are no HTTP, and again at every later call */
    push(data: Buffer): Iterable<Operation>;
    /** The connection ended. @throws Error inside a message */
    end(): Iterable<Operation>;
    /** Takes out the bytes that were pushed and not read. */
    drain(): Buffer;

    static readonly constants: { readonly REQUEST: 1; readonly RESPONSE: 2; readonly DATA: 3; readonly END: 4 };
  }

  export = HTTPParser;
}
