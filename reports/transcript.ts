import type { HeaderList, RecordedBytes, RecordedExchange } from '../harness/events.ts';
import { hexView } from './hex.ts';
import { bytesOf, cutExchange } from './recorded-bytes.ts';
import { visible, visibleLine } from './visible.ts';

/**
 * An exchange for people, in plain lines: the curl command, the request after `>`, the answer after `<`, the bytes of a
 * stream in hex. Safe for a terminal. Each body is cut to `limit` bytes.
 */
export function transcript(exchange: RecordedExchange, limit: number): string {
  const { request, answer, stream, failure, curl, durationMs } = cutExchange(exchange, limit);
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

function body(mark: string, recorded: RecordedBytes): string[] {
  if (recorded.size === 0) return [];
  const shown = recorded.base64 === undefined ? visible(recorded.text ?? '') : hexView(bytesOf(recorded));
  return [mark, ...shown.split('\n'), ...cutNote(recorded)];
}

function cutNote(recorded: RecordedBytes): string[] {
  return recorded.truncated ? [`(cut: ${bytesOf(recorded).length} of ${recorded.size} bytes are shown)`] : [];
}
