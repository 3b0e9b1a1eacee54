import type { Exchange } from '../../../harness/engine/exchange.ts';
import { valuesAt } from '../../../harness/streams/json-path.ts';

/**
 * The identifiers in a history's items. Their tags may belong to other images with the same layers, which come and go.
 */
export function itemIds({ json }: Exchange): unknown[] {
  return Array.isArray(json) ? json.map((item) => valuesAt(item, 'Id')[0]) : [];
}
