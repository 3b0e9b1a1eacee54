import { badParameter, serverError } from '../errors.ts';
import type { Call } from '../http/call.ts';
import { isObject } from '../http/fields.ts';
import { RegistryClient } from './client.ts';
import { RegistryError } from './exchange.ts';
import { placeOf } from './place.ts';

/**
 * GET /images/search (Document 3, Search images): searches the registry whose host precedes the term, as this engine
 * knows no public index.
 */
export async function searchImages(call: Call): Promise<void> {
  const term = call.query.text('term');
  if (term === undefined) throw badParameter('there is no term');
  const place = placeOf(term);
  if (!place) throw serverError('there is no public index to search');
  const controller = new AbortController();
  call.onGone(() => controller.abort());
  const client = new RegistryClient(place.host, undefined, controller.signal);
  let found: unknown;
  try {
    found = await client.json(`/v1/search?q=${encodeURIComponent(place.path)}`, 'application/json');
  } catch (error) {
    throw error instanceof RegistryError ? serverError(error.message) : error;
  }
  if (!isObject(found) || !Array.isArray(found.results)) throw serverError('the registry sent no results');
  call.answer(200, found.results.filter(isObject).map(resultOf));
}

/** The search result of Document 1, Image shapes, under the keys of the registry. */
function resultOf(result: Readonly<Record<string, unknown>>): object {
  return {
    description: typeof result.description === 'string' ? result.description : '',
    is_official: result.is_official === true,
    is_automated: result.is_automated === true,
    name: typeof result.name === 'string' ? result.name : '',
    star_count: typeof result.star_count === 'number' ? result.star_count : 0,
  };
}
