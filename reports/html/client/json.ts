import { visible } from '../../visible.ts';
import type { Mark } from '../exchange.ts';
import { el } from './dom.ts';

/** Indented deeper than this, a hostile body would take gigabytes. */
const deepest = 40;

export function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The marked part of a text; absent without `begin`. */
type Span = Pick<Mark, 'begin' | 'end'>;

/** JSON with one member per line, and a button that shows it as it came. */
export function jsonView(text: string, mark?: Span): HTMLElement {
  const lines = el('pre', { tabindex: '0', class: 'text', 'aria-label': 'body' }, indented(text, mark));
  const button = el(
    'button',
    { type: 'button', class: 'copy', 'aria-pressed': 'false', on: { click: turn } },
    'As sent',
  );
  return el('div', { class: 'json' }, lines, button);

  function turn(): void {
    const asSent = button.getAttribute('aria-pressed') === 'false';
    button.setAttribute('aria-pressed', String(asSent));
    lines.replaceChildren(...(asSent ? marked(text, mark) : indented(text, mark)));
  }
}

/** A text with its deviating part marked. */
export function marked(text: string, mark?: Span): (Node | string)[] {
  if (mark?.begin === undefined) return [visible(text)];
  const { begin, end } = mark;
  return [visible(text.slice(0, begin)), el('mark', {}, visible(text.slice(begin, end))), visible(text.slice(end))];
}

/** Only the white space between tokens is new: numbers, escapes, order and repeated keys are unchanged. */
function indented(json: string, mark?: Span): (Node | string)[] {
  const tokens = [...json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g)];
  let depth = 0;
  let text = '';
  // Where the marked value is in the reformatted text.
  const place: { begin?: number; end?: number } = {};
  for (const [at, { 0: token, index }] of tokens.entries()) {
    const isClosing = isEnd(token);
    if (isClosing) depth--;
    if (isClosing && !/^[{[]$/.test(tokens[at - 1]?.[0] ?? '')) text += newLine(depth);
    if (index === mark?.begin) place.begin = text.length;
    text += token;
    if (index + token.length === mark?.end) place.end = text.length;
    if (token === '{' || token === '[') {
      depth++;
      if (!isEnd(tokens[at + 1]?.[0])) text += newLine(depth);
    } else if (token === ',') text += newLine(depth);
    else if (token === ':') text += ' ';
  }
  return marked(text, place);
}

function isEnd(token: string | undefined): boolean {
  return token === '}' || token === ']';
}

function newLine(depth: number): string {
  return `\n${'  '.repeat(Math.min(depth, deepest))}`;
}
