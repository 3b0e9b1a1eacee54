import { counted, thousands } from '../counted.ts';
import type { Cause } from './cause.ts';

/** `5 rules in 1.20 1.21 1.23, 3 of them blocked`: what fixing a cause would settle. */
export function extentInWords({ rules, apis, skipped, level }: Cause): string {
  const blocked = rules.filter(({ verdict }) => verdict === 'blocked').length;
  return [
    `${counted(rules.length, 'rule')} in ${apis.join(' ')}`,
    ...(blocked > 0 ? [blockedOf(blocked, rules.length)] : []),
    ...(skipped > 0 ? [`${counted(skipped, 'verdict')} skipped because of it`] : []),
    ...(level === 'should' ? ['stated loosely'] : []),
  ].join(', ');
}

function blockedOf(blocked: number, all: number): string {
  if (blocked < all) return `${thousands(blocked)} of them blocked`;
  return all > 1 ? 'all of them blocked' : 'blocked';
}

/** `docker update fails; docker ps prints something else`; empty when no client was seen to be affected. */
export function clientsInWords({ clients: { fails, printsOtherwise } }: Cause): string {
  return [
    ...(fails.length > 0 ? [`${some(fails)} ${fails.length === 1 ? 'fails' : 'fail'}`] : []),
    ...(printsOtherwise.length > 0
      ? [`${some(printsOtherwise)} ${printsOtherwise.length === 1 ? 'prints' : 'print'} something else`]
      : []),
  ].join('; ');
}

/** The number of commands shown by name. */
const named = 3;

function some(commands: readonly string[]): string {
  const rest = commands.length - named;
  return [...commands.slice(0, named), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}
