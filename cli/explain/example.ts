import type { Check } from '../../harness/check.ts';
import { type Example, exampleOf } from '../../harness/runner/example.ts';
import { type ApiVersion, apiVersions, holdsIn, isDocumented } from '../../specs/versions.ts';
import { runOptions } from '../run-options.ts';
import { chooseTarget } from '../target.ts';

const boundMs = 20_000;
const exchangeMs = 10_000;
/** An example does not depend on anything random. */
const seed = 1;

/**
 * How a rule is kept and broken in the newest documented version that has it, or else the first carried one: its check
 * on the embedded engine.
 */
export async function embeddedExample(check: Check): Promise<Example> {
  const { rule } = check;
  const holds = (version: ApiVersion) => holdsIn(rule, version);
  const api = apiVersions.filter(isDocumented).findLast(holds) ?? apiVersions.find(holds);
  if (api === undefined) throw new Error(`${rule.id} does not hold in any version`);
  const declared = { hostile: true, corsOrigin: rule.needs.includes('cors-origin') ? 'http://client.test' : '' };
  const target = await chooseTarget({}, 'engine', { declared, api: [api] });
  try {
    const selection = { apis: [api], rules: [rule], whole: false };
    const flags = { dialect: 'auto', timeout: exchangeMs, seed, ...declared };
    return await exampleOf(check, api, runOptions(target, selection, flags, []), boundMs);
  } finally {
    await target.close();
  }
}
