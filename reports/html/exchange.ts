import type { RecordedExchange, Result } from '../../harness/events.ts';
import type { ShownPart } from '../../harness/verdict/shown.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import { placeIn, spanIn } from '../deviating-place.ts';
import { versionOf } from '../evidence.ts';
import { cutExchange } from '../recorded-bytes.ts';

/** Where an exchange shows the deviation of a verdict. */
export interface Mark {
  readonly rule: string;
  readonly api: ApiVersion;
  readonly part?: ShownPart['part'];
  /** The name of a header. */
  readonly name?: string;
  /** Character offsets in the body's text as shown. */
  readonly begin?: number;
  readonly end?: number;
}

export type PageExchange = ReturnType<typeof pageExchange>;

/**
 * An exchange for display on a page.
 * @param limit bytes of each body
 * @param shownBy the results whose deviation it shows
 */
export function pageExchange(exchange: RecordedExchange, limit: number, shownBy: readonly Result[] = []) {
  const spans = shownBy.map((result) => spanIn(exchange, placeIn(exchange, result)));
  const { startedAt: _, ...shown } = cutExchange(
    exchange,
    limit,
    spans.find((span) => span),
  );
  const { skipped = 0 } = shown.answer?.body ?? {};
  const marks = shownBy.map((result, at): Mark => {
    const span = spans[at];
    const place = placeIn(exchange, result);
    return {
      ...{ rule: result.rule, api: result.api },
      ...(place && { part: place.part, ...(place.part === 'header' && { name: place.name }) }),
      ...(span && { begin: span.begin - skipped, end: span.end - skipped }),
    };
  });
  return { ...shown, api: versionOf(exchange), ...(marks.length > 0 && { marks }) };
}
