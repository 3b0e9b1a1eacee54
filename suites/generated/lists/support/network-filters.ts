import fc from 'fast-check';
import type { Exchange } from '../../../../harness/engine/exchange.ts';
import type { Network } from '../../../../harness/engine/networks.ts';
import type { Trial } from '../../../../harness/property/trial.ts';
import { type ApiVersion, atLeast } from '../../../../specs/versions.ts';
import { itemOf, itemsOf, listNetworks } from '../../../networks/support/list-answers.ts';
import { type AskedFilter, judgedBy, judgeListed, mapOf, passingIf, wordsOf } from './filter-results.ts';

/** A filter, generated before the networks that it refers to exist. */
export type NetworkFilter =
  | { readonly filter: 'name' | 'id'; readonly which: number; readonly part: Part | null }
  | { readonly filter: 'type'; readonly value: 'custom' | 'builtin' };

/** A part of a text, in hundredths of its length. */
interface Part {
  readonly from: number;
  readonly length: number;
}

/** Distinct filters for the list of networks that the version has. */
export function networkFilters(api: ApiVersion): fc.Arbitrary<NetworkFilter[]> {
  const isNew = atLeast(api, '1.23');
  const part = fc.record({ from: fc.integer({ min: 0, max: 60 }), length: fc.integer({ min: 20, max: 100 }) });
  const named = fc.record({
    filter: fc.constantFrom('name' as const, 'id' as const),
    which: fc.nat({ max: 1 }),
    part: isNew ? fc.option(part) : fc.constant(null),
  });
  const typed = fc.record({ filter: fc.constant('type' as const), value: fc.constantFrom('custom', 'builtin') });
  const any: fc.Arbitrary<NetworkFilter> = isNew ? fc.oneof({ weight: 2, arbitrary: named }, typed) : named;
  return fc.uniqueArray(any, { minLength: 1, maxLength: 2, selector: ({ filter }) => filter });
}

/** A network, and whether it is one of the daemon's own. */
interface Listed {
  readonly network: Network;
  readonly isBuiltin: boolean;
}

/** Pre-defined networks (Document 1, Network). */
const predefined: readonly unknown[] = ['bridge', 'host', 'none'];

/** The pre-defined networks that a list of all has. */
function builtinIn(all: Exchange): Listed[] {
  return itemsOf(all)
    .filter(({ Name }) => predefined.includes(Name))
    .map(({ Id, Name }) => ({ network: { id: String(Id), name: String(Name) }, isBuiltin: true }));
}

/**
 * Asks for networks of a trial with several filters together, and judges the list.
 * @param all a list of all networks
 */
export async function judgeNetworkFilters(
  trial: Trial,
  networks: readonly Network[],
  wanted: readonly NetworkFilter[],
  all: Exchange,
): Promise<void> {
  const asked = judgedBy(
    trial,
    wanted.flatMap((one) => asking(one, networks)),
  );
  if (asked.length === 0) return;
  trial.step(`lists networks with ${wordsOf(asked)}`);
  const answer = await listNetworks(trial.engine, mapOf(asked));
  await judgeListed(trial, {
    asked,
    things: [...networks.map((network) => ({ network, isBuiltin: false })), ...builtinIn(all)],
    nameOf: ({ network }) => network.name,
    isListed: ({ network }) => itemOf(answer, network) !== undefined,
    answer,
    together: 'networks.list.filters-map-of-lists',
  });
}

function asking(wanted: NetworkFilter, networks: readonly Network[]): AskedFilter<Listed>[] {
  if (wanted.filter === 'type') {
    const isBuiltin = wanted.value === 'builtin';
    const passes = (one: Listed) => passingIf(one.isBuiltin === isBuiltin);
    return [
      { filter: 'type', values: [{ text: wanted.value, rule: `networks.list.filters-type-${wanted.value}`, passes }] },
    ];
  }
  const { filter, which, part } = wanted;
  const whole = networks[which % networks.length]?.[filter];
  if (whole === undefined) return [];
  const text = part ? partOf(whole, part) : whole;
  const passes = ({ network }: Listed) => {
    if (network[filter] === text || (part && network[filter].includes(text))) return 'yes';
    // Since 1.23 a filter may match a part of a name.
    return network[filter].includes(text) ? 'open' : 'no';
  };
  return [{ filter, values: [{ text, rule: `networks.list.filters-${filter}${part ? '-part' : ''}`, passes }] }];
}

function partOf(whole: string, { from, length }: Part): string {
  const begin = Math.floor((whole.length * from) / 100);
  return whole.slice(begin, begin + Math.max(1, Math.floor((whole.length * length) / 100)));
}
