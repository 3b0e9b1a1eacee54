import type { Latency } from '../latency.ts';
import type { ComparisonData } from './comparison-data.ts';
import type { PageData } from './data.ts';
import type { PageExchange } from './exchange.ts';
import type { PageScripts } from './scripts.ts';

/**
 * The data embedded in the pages, by the id of its JSON element: both the writer and the pages' code use these types.
 */
export interface Embedded {
  readonly report: PageData;
  readonly exchanges: readonly PageExchange[];
  readonly scripts: PageScripts;
  readonly latency: readonly Latency[];
  readonly comparison: ComparisonData;
}

/** The packed data, by the id of its element. */
export interface EmbeddedPacked {
  readonly 'exchanges-of-passes': readonly PageExchange[];
}
