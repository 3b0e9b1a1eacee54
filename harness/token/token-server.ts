import type { Address } from '../target/address.ts';

/** A server of the token endpoint (Document 1, Registry token endpoint), and what the suite may ask it for. */
export interface TokenServer {
  readonly address: Address;
  /** The whole address of the endpoint, for people. */
  readonly url: string;
  /** Path and query of the endpoint on its server. */
  readonly path: string;
  /** The name of the service that tokens are asked for. */
  readonly service: string;
  readonly user?: { readonly name: string; readonly password: string };
  /** What the user may do, one `type:name:actions` each; empty when that was not told. */
  readonly scopes: readonly string[];
}

/** The client that the suite says it is. */
export const clientId = 'engine-conformance';
