import { allEndpoints } from '../../specs/catalogue.ts';
import { endpointTitle } from '../../specs/endpoint.ts';
import type { Rule } from '../../specs/rule.ts';

/** The folder of the pages, beside a report or on a site. */
export const contractFolder = 'contract';

/** The page for everything that is not about a single endpoint. */
export const generalPage = 'general.html';

/** The page of an endpoint, by its id. */
export function endpointPageName(id: string): string {
  return `${id}.html`;
}

/** The address of a rule in the pages of the contract. */
export function ruleAddress({ id, endpoint }: Pick<Rule, 'id' | 'endpoint'>): string {
  return `${endpoint === undefined ? generalPage : endpointPageName(endpoint.id)}#${encodeURIComponent(id)}`;
}

/**
 * What a page needs to link to rules: the folder, the page of each endpoint by its title, and that for everything else.
 */
export function contractAddresses(folder: string) {
  const pages = Object.fromEntries(
    allEndpoints.map((endpoint) => [endpointTitle(endpoint), endpointPageName(endpoint.id)]),
  );
  return { folder, pages, general: generalPage };
}
