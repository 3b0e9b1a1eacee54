import { existsSync } from 'node:fs';
import { ruleAddress } from '../reports/contract/addresses.ts';
import type { Rule } from '../specs/rule.ts';

/** The address of the rule in the package's pages of the contract; undefined if they were not built. */
export function contractPageOf(rule: Rule): string | undefined {
  const address = new URL(`../contract/${ruleAddress(rule)}`, import.meta.url);
  const file = new URL(address);
  file.hash = '';
  return existsSync(file) ? address.href : undefined;
}
