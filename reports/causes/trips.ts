import { clientsOf, tripsOver } from '../clients/clients.ts';
import type { TrippedClients } from './cause.ts';
import type { Sighting } from './seen.ts';

/** What a command that fails counts beside a rule that is not kept, and one that prints something else. */
const weights = { fails: 5, printsOtherwise: 2 } as const;

/**
 * The commands of clients that trip over a cause: those that were measured on a daemon that does not keep one of the rules,
 * and of an endpoint that is not served all that use it.
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

/** The weight of a cause: each rule that it settles counts one, each command of a client that trips over it more. */
export function weightOf(rules: number, { fails, printsOtherwise }: TrippedClients): number {
  return rules + fails.length * weights.fails + printsOtherwise.length * weights.printsOtherwise;
}
