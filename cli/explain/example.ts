import type { Check } from '../../harness/check.ts';
import { type Example, exampleOf } from '../../harness/runner/example.ts';
import { apiVersions, holdsIn } from '../../specs/versions.ts';
import { runOptions } from '../run-options.ts';
import { chooseTarget } from '../target.ts';

const boundMs = 20_000;
const exchangeMs = 10_000;
/** Nothing random decides an example. */
const seed = 1;

/** How a rule is kept and not kept in the newest version that it holds in: its check on the embedded engine. */
export async function embeddedExample(check: Check): Promise<Example> {
  const { rule } = check;
  const api = apiVersions.findLast((version) => holdsIn(rule, version));
  if (api === undefined) throw new Error(`${rule.id} holds in no version`);
  const corsOrigin = rule.needs.includes('cors-origin') ? 'http://client.test' : '';
  const target = await chooseTarget({}, 'engine', corsOrigin);
  try {
    const selection = { apis: [api], rules: [rule], whole: false };
    const flags = { dialect: 'auto', timeout: exchangeMs, seed, corsOrigin, hostile: true };
    return await exampleOf(check, api, runOptions(target, selection, flags, []), boundMs);
  } finally {
    await target.close();
  }
}
