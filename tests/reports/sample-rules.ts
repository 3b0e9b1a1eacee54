import { allRules } from '../../specs/catalogue.ts';
import { type Endpoint, endpoint } from '../../specs/endpoint.ts';
import { bodyRules, fieldRules } from '../../specs/fields.ts';
import { containerCreateBody, containerInspect, containerListItem } from '../../specs/resources/container.ts';
import { systemInformation } from '../../specs/resources/system.ts';
import type { Rule } from '../../specs/rule.ts';
import { documentedVersions, holdsIn } from '../../specs/versions.ts';

const get = (id: string, path: string, summary: string): Endpoint =>
  endpoint({ id, method: 'GET', path, summary, source: [2, 'Stop a container'], parameters: {}, answers: {} });

const inspect = get('containers.inspect', '/containers/{id}/json', 'inspects a container');
const list = get('containers.list', '/containers/json', 'lists containers');
const create = { ...get('containers.create', '/containers/create', 'creates a container'), method: 'POST' } as const;
const info = get('system.info', '/info', 'describes the host');

/**
 * The catalogue, and rules derived from the contract's schemas where it does not have them: hundreds of real ones, all of
 * the versions that the sample run judges.
 */
export const sampleRules: readonly Rule[] = unique([
  ...allRules,
  ...Object.values<Rule>(fieldRules('containers.inspect', defaults(inspect), containerInspect)),
  ...Object.values<Rule>(fieldRules('containers.list', defaults(list), containerListItem)),
  ...Object.values<Rule>(bodyRules('containers.create', defaults(create), containerCreateBody)),
  ...Object.values<Rule>(fieldRules('system.info', defaults(info), systemInformation)),
]).filter((rule) => documentedVersions.some((version) => holdsIn(rule, version)));

/** A fifth of them, some areas and endpoints whole: what browsers open for nearly every test. */
export const fewRules: readonly Rule[] = sampleRules.filter(
  ({ area, endpoint }, place) =>
    place % 5 === 0 || area === 'service' || area === 'versioning' || endpoint?.path === '/containers/{id}/stop',
);

/** As many rules as asked for, made by repeating the sample's under further endpoints. */
export function manyRules(number: number): Rule[] {
  return Array.from({ length: number }, (_, place) => {
    const rule = sampleRules[place % sampleRules.length];
    if (!rule) throw new Error('there are no sample rules');
    const round = Math.floor(place / sampleRules.length);
    const { since: _since, until: _until, ...always } = rule;
    return { ...always, id: round === 0 ? rule.id : `${rule.area}.round-${round}.${rule.id}` };
  });
}

function defaults(of: Endpoint) {
  return { endpoint: of, source: of.source, interpretations: ['open-objects'] as const };
}

function unique(rules: readonly Rule[]): Rule[] {
  return [...new Map(rules.toReversed().map((rule) => [rule.id, rule])).values()].toReversed();
}
