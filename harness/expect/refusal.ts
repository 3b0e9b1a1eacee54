import { answerOf, type Endpoint } from '../../specs/endpoint.ts';
import { engineRoutes } from '../../specs/known-routes.ts';
import { type ApiVersion, isApiVersion } from '../../specs/versions.ts';
import type { WireRequest } from '../transport/wire.ts';

/** The statuses for bad input and for a failing server in the table of Document 1, Errors. */
const ofAnyEndpoint = [400, 500];

/** Whether the endpoint of a request lists a status for bad parameters, in its version. */
export function listsBadParameter({ method, path }: Pick<WireRequest, 'method' | 'path'>): boolean {
  const found = asked(method, path);
  return found !== undefined && answerOf(found.endpoint, 400, found.api) !== undefined;
}

/**
 * The statuses that refuse a request whose defect has no status of its own (interpretation `listed-codes`): the 4xx and
 * 5xx statuses that its endpoint lists in its version, and those of the general table whose meaning fits.
 * @returns undefined for what no endpoint takes
 */
export function refusalsOf({ method, path }: Pick<WireRequest, 'method' | 'path'>): readonly number[] | undefined {
  const found = asked(method, path);
  if (!found) return undefined;
  const { endpoint, api } = found;
  const listed = Object.keys(endpoint.answers)
    .map(Number)
    .filter((status) => status >= 400 && answerOf(endpoint, status, api) !== undefined);
  return [...new Set([...listed, ...ofAnyEndpoint])].toSorted((one, other) => one - other);
}

function asked(method: string, path: string): { endpoint: Endpoint; api: ApiVersion } | undefined {
  const endpoint = engineRoutes.find(method, path);
  const api = /^\/v([\d.]+)\//.exec(path)?.[1] ?? '';
  return endpoint && isApiVersion(api) ? { endpoint, api } : undefined;
}
