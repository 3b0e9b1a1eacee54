import { UsageError } from '../usage-error.ts';
import { ofAnswers } from './answers.ts';
import { ofArchives } from './archives.ts';
import { ofCompany } from './company.ts';
import { ofEvents } from './events.ts';
import { ofHeaders } from './headers.ts';
import { ofHosts } from './host-limits.ts';
import { ofIdentifiers } from './identifiers.ts';
import { ofCommands } from './late-commands.ts';
import type { Latitude } from './latitude.ts';
import { ofLists } from './lists.ts';
import { ofLogs } from './logs.ts';
import { ofNames } from './own-names.ts';
import { ofTime } from './pace.ts';
import { ofRefusals } from './refusals.ts';
import { ofStreams } from './streams.ts';
import { ofTokens } from './tokens.ts';
import { ofValues } from './values.ts';

/** Every variation of a correct engine that the suite is tried with. */
export const latitudes: readonly Latitude[] = [
  // Names and archives before streams, which are cut into pieces of what is new.
  ...[...ofAnswers, ...ofValues, ...ofNames, ...ofIdentifiers, ...ofLists, ...ofEvents, ...ofArchives, ...ofStreams],
  ...[...ofHeaders, ...ofRefusals, ...ofTokens, ...ofTime, ...ofCommands, ...ofLogs, ...ofCompany, ...ofHosts],
];

/** @throws UsageError for an unknown name */
export function latitudeOf(name: string): Latitude {
  const found = latitudes.find((latitude) => latitude.name === name);
  if (!found) throw new UsageError(`there is no latitude ${name}`);
  return found;
}

/**
 * A few engines that together have every latitude, each as many as possible, so that each differs from the others in
 * nearly everything.
 */
export function contrarians(chosen: readonly Latitude[] = latitudes): Latitude[][] {
  const engines: Latitude[][] = [];
  for (const latitude of chosen) {
    const isFree = (engine: readonly Latitude[]) => !engine.some((other) => areAgainst(latitude, other));
    const free = engines.find(isFree);
    if (free) free.push(latitude);
    else engines.push([latitude]);
  }
  return engines;
}

function areAgainst(one: Latitude, other: Latitude): boolean {
  return one.against?.includes(other.name) === true || other.against?.includes(one.name) === true;
}
