import type { HeaderList, RecordedExchange } from '../harness/events.ts';
import type { ShownPart } from '../harness/verdict/shown.ts';
import { spanIn } from './deviating-place.ts';
import { hexView } from './hex.ts';
import { bytesOf, cutExchange, isText, type ShownBytes } from './recorded-bytes.ts';
import { visible, visibleLine } from './visible.ts';

/**
 * An exchange for people, in plain lines: the curl command, the request after `>`, the answer after `<`, the bytes of a
 * stream in hex. Safe for a terminal. Each body is truncated to `limit` bytes, that of the answer around the deviation.
 */
export function transcript(exchange: RecordedExchange, limit: number, from?: ShownPart): string {
  const cut = cutExchange(exchange, limit, spanIn(exchange, from));
  const { request, answer, stream, failure, curl, durationMs } = cut;
  const lines = [
    `$ ${visibleLine(curl)}`,
    `> ${visibleLine(`${request.method} ${request.path}`)}`,
    ...headers('>', request.headers),
    ...body('>', request.body),
  ];
  if (answer) {
    lines.push(`< ${answer.status} (after ${Math.round(durationMs)} ms)`, ...headers('<', answer.headers));
    lines.push(...body('<', answer.body));
  }
  for (const piece of stream ?? []) {
    const way = piece.direction === 'sent' ? '>' : '<';
    lines.push(`${way} ${piece.size} bytes ${piece.direction} after ${Math.round(piece.atMs)} ms`);
    if (bytesOf(piece).length > 0) lines.push(...hexView(bytesOf(piece)).split('\n'));
    lines.push(...cutNote(piece));
  }
  if (failure !== undefined) lines.push(`! ${visibleLine(failure)}`);
  return lines.join('\n');
}

function headers(mark: string, list: HeaderList): string[] {
  return list.map(([name, value]) => `${mark} ${visibleLine(`${name}: ${value}`)}`);
}

function body(mark: string, recorded: ShownBytes): string[] {
  if (recorded.size === 0) return [];
  const shown = isText(recorded) ? visible(recorded.text ?? '') : hexView(bytesOf(recorded));
  return [mark, ...shown.split('\n'), ...cutNote(recorded)];
}

function cutNote(recorded: ShownBytes): string[] {
  const { truncated, size, skipped = 0 } = recorded;
  const where = skipped > 0 ? `, from character ${skipped} on` : '';
  return truncated ? [`(cut: ${bytesOf(recorded).length} of ${size} bytes are shown${where})`] : [];
}
