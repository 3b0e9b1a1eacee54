import { serverError } from '../common-answers.ts';
import { serverErrorRule } from '../common-rules.ts';
import { endpoint } from '../endpoint.ts';
import { fieldRules } from '../fields.ts';
import { imageSearchResult } from '../resources/image.ts';
import { rules } from '../rule.ts';

const source = [3, 'Search images'] as const;

export const search = endpoint({
  id: 'images.search',
  method: 'GET',
  path: '/images/search',
  summary: 'searches the public index of images',
  source,
  parameters: { term: { in: 'query', required: true, schema: { type: 'string' }, says: 'what to search for' } },
  answers: {
    200: { says: 'the results', body: 'object', schema: { type: 'array', items: { $ref: imageSearchResult } } },
    500: serverError,
  },
});

export const searchRules = {
  ...rules(
    'images.search',
    { endpoint: search, source, row: 'term, 200, 500' },
    {
      'answers-200': {
        kind: 'status',
        says: 'answers 200',
        interpretations: ['search-registry'],
        needs: ['search-index'],
      },
      'server-error-500': serverErrorRule,
      term: {
        kind: 'parameter',
        says: 'answers with a list of images that match term',
        interpretations: ['search-registry'],
        needs: ['search-index'],
      },
      'without-term': {
        kind: 'observe',
        says: 'what it answers without term',
        needs: ['search-index'],
      },
      'registry-keys': {
        kind: 'version',
        says: 'names the fields of a result as the registry does',
        source: [1, 'Versioning'],
        row: 'search',
        interpretations: ['search-registry'],
        needs: ['search-index'],
      },
    },
  ),
  ...fieldRules(
    'images.search',
    { endpoint: search, source: [1, 'Image shapes'], row: 'search result', needs: ['search-index'] },
    imageSearchResult,
  ),
};
