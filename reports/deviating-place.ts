import type { RecordedExchange, Result } from '../harness/events.ts';
import type { ShownPart } from '../harness/verdict/shown.ts';
import { jsonSpan, type TextSpan } from './json-span.ts';

/** Where an exchange shows the deviation of a result; undefined if another exchange does, or if that is not known. */
export function placeIn({ id }: Pick<RecordedExchange, 'id'>, { shown }: Pick<Result, 'shown'>): ShownPart | undefined {
  return shown?.exchange === id ? shown.from : undefined;
}

/** Where the deviating part of an answer's body is. */
export function spanIn({ answer }: RecordedExchange, from: ShownPart | undefined): TextSpan | undefined {
  const text = answer?.body.text;
  const [place] = from?.part === 'json' ? from.at : [];
  return text === undefined || place === undefined || place.length === 0 ? undefined : jsonSpan(text, place);
}

const shownOfValue = 200;

/** The deviating part, in one line: `"Links":null at /0/NetworkSettings`. */
export function deviatingPlace(exchange: RecordedExchange, from: ShownPart): string | undefined {
  const { answer } = exchange;
  if (!answer) return undefined;
  if (from.part === 'status') return `status ${answer.status}`;
  if (from.part === 'header') {
    const found = answer.headers.find(([name]) => name.toLowerCase() === from.name.toLowerCase());
    return found ? found.join(': ') : `no header ${from.name}`;
  }
  const span = spanIn(exchange, from);
  if (!span || from.part !== 'json') return undefined;
  const [steps = []] = from.at;
  const written = (answer.body.text ?? '').slice(span.begin, span.end).replace(/\s+/g, ' ');
  const value = written.length > shownOfValue ? `${written.slice(0, shownOfValue)}…` : written;
  return `/${steps.join('/')}: ${value}`;
}
