import { checkFields, fieldRulesOf } from '../support/field-checks.ts';
import { unlessNetworked } from './support/membership.ts';
import { inspected, listed } from './support/sample-networks.ts';

const echoed = ['Subnet', 'IPRange', 'Gateway'].map((name) => `IPAM.Config[].${name}`);
const plain = { notOn: unlessNetworked };

for (const [prefix, answer] of [
  ['networks.list.field.', listed],
  ['networks.inspect.field.', inspected],
] as const) {
  const rules = fieldRulesOf(prefix);
  const options = rules.map(({ field: { path } }) => {
    const isSet = echoed.includes(path) || path === 'IPAM.Options';
    return [path, { ...plain, ...(isSet && { set: true }) }] as const;
  });
  checkFields(rules, answer, Object.fromEntries(options));
}
