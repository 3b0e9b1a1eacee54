import { readFileSync } from 'node:fs';
import { endpointTitle } from '../../specs/endpoint.ts';
import type { Rule } from '../../specs/rule.ts';

/** Where the code of a rule stands in the repository, each as `file:line`. */
export interface Places {
  readonly rule: string;
  /** Absent where no check decides the rule. */
  readonly check?: string;
  /** The function of the reference engine that answers the endpoint; absent where the rule has none. */
  readonly reference?: string;
}

interface Index {
  readonly rules: Readonly<Record<string, string>>;
  readonly checks: Readonly<Record<string, string>>;
  readonly reference: Readonly<Record<string, string>>;
}

let read: Index | undefined;

/** The build writes the places beside this module, as the package has no sources (scripts/places.js). */
function index(): Index {
  read ??= JSON.parse(readFileSync(new URL('./places.json', import.meta.url), 'utf8'));
  return read ?? { rules: {}, checks: {}, reference: {} };
}

export function placesOf({ id, endpoint }: Rule): Places {
  const { rules, checks, reference: functions } = index();
  const rule = rules[id] ?? '';
  const check = checks[id];
  const reference = endpoint && functions[endpointTitle(endpoint)];
  return { rule, ...(check !== undefined && { check }), ...(reference !== undefined && { reference }) };
}
