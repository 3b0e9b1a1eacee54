import type { headings } from '../headings.ts';
import { type CarriedVersion, firstCarried } from '../versions.ts';

/**
 * What activates the behaviour of a row. `api`: the version of the request, so both sides of it are judged. `rel`: the
 * release of the daemon, and `doc`: only the published text changed; in both cases both forms pass in every carried
 * version.
 */
type Gate = 'api' | 'rel' | 'doc';

/** How a row changes the contract, by patterns of rule ids with `*` for any characters. */
interface Effect {
  /** Rules whose last version is the one before. */
  readonly ends?: readonly string[];
  /** Rules that exist from this version on. */
  readonly begins?: readonly string[];
  /** Rules that allow more from this version on (`later`). */
  readonly eases?: readonly string[];
  /** Why the row changes nothing. */
  readonly noRule?: string;
}

/** One row of Document 4. */
export interface LaterRow extends Effect {
  /** Rows of one statement have one name. */
  readonly name: string;
  readonly gate: Gate;
  /** The first version whose contract it changes. */
  readonly from: CarriedVersion;
}

/** The rows under one heading of Document 4. */
export interface LaterSection {
  readonly heading: (typeof headings)[4][number];
  readonly rows: readonly LaterRow[];
}

/** A row that depends on the version of a request. */
export function api(name: string, from: CarriedVersion, ...effects: readonly Effect[]): LaterRow {
  return { name, gate: 'api', from, ...merged(effects) };
}

/** A row that depends on the release of a daemon. */
export function rel(name: string, ...effects: readonly Effect[]): LaterRow {
  return { name, gate: 'rel', from: firstCarried, ...merged(effects) };
}

/** A row for a change in the published text only. */
export function doc(name: string, ...effects: readonly Effect[]): LaterRow {
  return { name, gate: 'doc', from: firstCarried, ...merged(effects) };
}

export function ends(...patterns: readonly string[]): Effect {
  return { ends: patterns };
}

export function begins(...patterns: readonly string[]): Effect {
  return { begins: patterns };
}

export function eases(...patterns: readonly string[]): Effect {
  return { eases: patterns };
}

export function noRule(why: string): Effect {
  return { noRule: why };
}

function merged(effects: readonly Effect[]): Effect {
  const all = (member: 'ends' | 'begins' | 'eases') => {
    const patterns = effects.flatMap((effect) => effect[member] ?? []);
    return patterns.length > 0 ? { [member]: patterns } : {};
  };
  return { ...Object.assign({}, ...effects), ...all('ends'), ...all('begins'), ...all('eases') };
}
