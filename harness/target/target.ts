import type { Capability } from '../../specs/capabilities.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import type { TargetIdentity } from '../events.ts';
import type { Address } from './address.ts';
import type { Dialect } from './dialect.ts';

/** What rules are about: an engine, or a registry's authorization server with its token endpoint. */
export type ServerKind = 'engine' | 'authorization';

/** The daemon under test: where it is, how it writes the brand words, and what was found of it. */
export interface Target {
  readonly address: Address;
  readonly dialect: Dialect;
  readonly identity: TargetIdentity;
  readonly serves: readonly ApiVersion[];
  /** The api-cors-header that it was started with, as far as the user says. */
  readonly corsOrigin?: string;
  readonly architecture: 'amd64' | 'arm64';
  /** Whether containers can have the network of the daemon's host, which costs less than one of their own. */
  readonly sharesHostNetwork?: boolean;
  /** Why a capability is missing; capabilities it has are absent. */
  readonly lacks: Readonly<Partial<Record<Capability, string>>>;
  /** Why there is no such server to judge; servers that there are are absent. */
  readonly absent: Readonly<Partial<Record<ServerKind, string>>>;
}
