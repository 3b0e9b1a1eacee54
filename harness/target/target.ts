import type { Capability } from '../../specs/capabilities.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import type { TargetIdentity } from '../events.ts';
import type { Address } from './address.ts';
import type { Declared } from './declared.ts';
import type { Dialect } from './dialect.ts';

/** The kinds of servers with rules: an engine, or a registry's authorization server with its token endpoint. */
export type ServerKind = 'engine' | 'authorization';

/** The daemon under test: its address, its dialect, and what was found out about it. */
export interface Target {
  readonly address: Address;
  readonly dialect: Dialect;
  readonly identity: TargetIdentity;
  readonly serves: readonly ApiVersion[];
  readonly declared?: Declared;
  readonly architecture: 'amd64' | 'arm64';
  /** Whether containers can share the network of the daemon's host, which is cheaper than one of their own. */
  readonly sharesHostNetwork?: boolean;
  /** The logging driver that containers ask for, where those that ask for none have no log to be read. */
  readonly logsTo?: 'json-file';
  /** How many processors it says that it has; absent if it does not say. */
  readonly processors?: number;
  /** How long it took at least to start a container when it was tried, in milliseconds; absent if none was started. */
  readonly startMs?: number;
  /** Why capabilities are missing; those that it has are absent. */
  readonly lacks: Readonly<Partial<Record<Capability, string>>>;
  /** Why there is no server of a kind to judge; those that exist are absent. */
  readonly absent: Readonly<Partial<Record<ServerKind, string>>>;
}
