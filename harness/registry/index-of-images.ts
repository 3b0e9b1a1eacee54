/** An image as a registry's index describes it. */
export interface IndexedImage {
  readonly name: string;
  readonly description: string;
  readonly is_official: boolean;
  readonly is_automated: boolean;
  readonly star_count: number;
}

/** How a registry understood a request for its index. */
export interface Searched {
  /** The search term; undefined when the client only asked whether there is an index. */
  readonly term: string | undefined;
  readonly answer: object | boolean;
}

/** Serves a request of the v1 API, which clients use to search; undefined for another path. */
export function searched(path: string, query: URLSearchParams, index: readonly IndexedImage[]): Searched | undefined {
  if (path === '/v1/_ping') return { term: undefined, answer: true };
  if (path !== '/v1/search') return undefined;
  const term = query.get('q') ?? '';
  const results = index.filter(({ name }) => name.includes(term));
  return { term, answer: { query: term, num_results: results.length, results } };
}
