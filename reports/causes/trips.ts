import { clientsOf, tripsOver } from '../clients/clients.ts';
import type { TrippedClients } from './cause.ts';
import type { Sighting } from './seen.ts';

/** The weights of a failing command and of one that prints something different, relative to a broken rule. */
const weights = { fails: 5, printsOtherwise: 2 } as const;

/**
 * The client commands that a cause breaks: those measured on a daemon that breaks one of the rules and, for an endpoint
 * that is not served, all that use it.
 */
export function trippedBy(sightings: readonly Sighting[]): TrippedClients {
  const fails = new Set<string>();
  const prints = new Set<string>();
  for (const { rule, result, seen } of sightings) {
    if (!rule || result.verdict !== 'fail') continue;
    if (seen.is === 'not-served') {
      for (const { commands } of clientsOf(rule)) for (const command of Object.keys(commands)) fails.add(command);
    }
    for (const [command, how] of tripsOver(rule).flatMap(({ commands }) => Object.entries(commands))) {
      if (how === 'fails') fails.add(command);
      else if (how === 'prints something else') prints.add(command);
    }
  }
  return { fails: [...fails], printsOtherwise: [...prints].filter((command) => !fails.has(command)) };
}

/** The weight of a cause: each rule counts one, each affected client command more. */
export function weightOf(rules: number, { fails, printsOtherwise }: TrippedClients): number {
  return rules + fails.length * weights.fails + printsOtherwise.length * weights.printsOtherwise;
}
