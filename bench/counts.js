// How much a run asks of a daemon. Counts are exact, and do not depend on the machine.
import { allEndpoints } from '../dist/specs/catalogue.js';
import { endpointTitle } from '../dist/specs/endpoint.js';
import { Routes } from '../dist/specs/routes.js';

/** What costs a daemon most, by the endpoint that is asked for it. */
const costly = {
  starts: 'POST /containers/{id}/start',
  creates: 'POST /containers/create',
  builds: 'POST /build',
};
const routes = new Routes(allEndpoints);

/**
 * @param {Iterable<{ madeFor: string, request: { method: string, path: string } }>} exchanges all of a run
 */
export function countsOf(exchanges) {
  const byEndpoint = new Map();
  const byCheck = new Map();
  let requests = 0;
  for (const { madeFor, request } of exchanges) {
    const endpoint = routes.find(request.method, request.path);
    const title = endpoint ? endpointTitle(endpoint) : 'of no endpoint of the contract';
    byEndpoint.set(title, (byEndpoint.get(title) ?? 0) + 1);
    const of = byCheck.get(madeFor) ?? { requests: 0, starts: 0, creates: 0, builds: 0 };
    of.requests++;
    for (const [name, costs] of Object.entries(costly)) if (costs === title) of[name]++;
    byCheck.set(madeFor, of);
    requests++;
  }
  const counted = Object.entries(costly).map(([name, title]) => [name, byEndpoint.get(title) ?? 0]);
  return { requests, ...Object.fromEntries(counted), byEndpoint, byCheck };
}

/** The endpoints, those that were asked most often first, one a line. */
export function endpointLines({ byEndpoint }) {
  const sorted = [...byEndpoint].toSorted(([, a], [, b]) => b - a);
  return sorted.map(([title, times]) => `${String(times).padStart(7)}  ${title}`);
}

/** The checks and fixtures, those that start most containers first, one a line. */
export function checkLines({ byCheck }) {
  const columns = ['starts', 'creates', 'builds', 'requests'];
  const sorted = [...byCheck].toSorted(([, a], [, b]) => b.starts - a.starts || b.requests - a.requests);
  const heading = `${columns.map((name) => name.padStart(9)).join('')}  made for`;
  return [
    heading,
    ...sorted.map(([name, of]) => `${columns.map((one) => String(of[one]).padStart(9)).join('')}  ${name}`),
  ];
}
