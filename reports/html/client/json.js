import { el, visible } from './dom.js';

/** Indented deeper than this, a hostile body would take gigabytes. */
const deepest = 40;

export function isJson(text) {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON a member a line, with a button that shows it as it came. */
export function jsonView(text) {
  const lines = el('pre', { tabindex: '0', class: 'text', 'aria-label': 'body' }, visible(indented(text)));
  const button = el(
    'button',
    { type: 'button', class: 'copy', 'aria-pressed': 'false', on: { click: turn } },
    'As sent',
  );
  return el('div', { class: 'json' }, lines, button);

  function turn() {
    const asSent = button.getAttribute('aria-pressed') === 'false';
    button.setAttribute('aria-pressed', String(asSent));
    lines.textContent = visible(asSent ? text : indented(text));
  }
}

/** Only the white space between the tokens is new: numbers, escapes, order and repeated keys stay as they were sent. */
function indented(json) {
  const tokens = json.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g);
  let depth = 0;
  return tokens
    .map((token, place) => {
      if (token === '{' || token === '[') {
        depth++;
        return isEnd(tokens[place + 1]) ? token : token + newLine(depth);
      }
      if (isEnd(token)) {
        depth--;
        return /^[{[]$/.test(tokens[place - 1]) ? token : newLine(depth) + token;
      }
      if (token === ',') return token + newLine(depth);
      return token === ':' ? ': ' : token;
    })
    .join('');
}

function isEnd(token) {
  return token === '}' || token === ']';
}

function newLine(depth) {
  return `\n${'  '.repeat(Math.min(depth, deepest))}`;
}
