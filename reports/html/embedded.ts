import type { Latency } from '../latency.ts';
import type { ComparisonData } from './comparison-data.ts';
import type { PageData } from './data.ts';
import type { PageExchange } from './exchange.ts';
import type { PageScripts } from './scripts.ts';

/** The data in the pages, by the id of the element that has it as JSON: what is written, and what the pages' code reads. */
export interface Embedded {
  readonly report: PageData;
  readonly exchanges: readonly PageExchange[];
  readonly scripts: PageScripts;
  readonly latency: readonly Latency[];
  readonly comparison: ComparisonData;
}

/** The data that is packed, by the id of the element that has it. */
export interface EmbeddedPacked {
  readonly 'exchanges-of-passes': readonly PageExchange[];
}
