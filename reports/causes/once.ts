import { allRules } from '../../specs/catalogue.ts';
import type { Rule } from '../../specs/rule.ts';
import type { RunRecord } from '../run-record.ts';
import type { Cause } from './cause.ts';
import { causesOf } from './causes.ts';

/** Returns the causes of a run that has ended. */
export type FindCauses = (record: RunRecord) => Promise<readonly Cause[]>;

/** Finds the causes of a run when the first report asks for them, and returns the same ones to the others. */
export function causesOnce(rules: readonly Rule[] = allRules): FindCauses {
  let found: { readonly of: RunRecord['ended']; readonly causes: Promise<readonly Cause[]> } | undefined;
  return (record) => {
    if (found?.of !== record.ended) found = { of: record.ended, causes: causesOf(record, rules) };
    return found.causes;
  };
}
