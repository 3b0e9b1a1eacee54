import type { HeaderList } from '../../../harness/events.ts';
import type { ShownBytes } from '../../recorded-bytes.ts';
import { visible } from '../../visible.ts';
import type { Mark, PageExchange } from '../exchange.ts';
import { announce, el, fillWhenOpened } from './dom.ts';
import { isJson, jsonView, marked } from './json.ts';

/**
 * One exchange: the curl line, request, answer, and the bytes of a stream in hex.
 * @param title the element for the headings inside
 * @param mark where its answer deviates
 */
export function renderExchange(
  exchange: PageExchange,
  open: boolean,
  title: 'h4' | 'h6' = 'h6',
  mark?: Mark,
): HTMLElement {
  const { request, answer, failure, durationMs } = exchange;
  const outcome = answer ? String(answer.status) : 'no answer';
  const details = el(
    'details',
    { class: 'exchange' },
    el(
      'summary',
      {},
      el('code', {}, visible(`${request.method} ${request.path}`)),
      ' ',
      el('span', { class: 'outcome' }, `→ ${outcome}`),
      ...(mark ? [el('span', { class: 'deviates' }, 'deviates')] : []),
      el('span', { class: 'effort' }, `${Math.round(durationMs)} ms`),
    ),
  );
  fillWhenOpened(details, () =>
    details.append(
      copyable(exchange.curl, 'curl command'),
      head(el(title, {}, 'Request'), `${request.method} ${request.path}`, request.headers),
      ...body(request.body),
      ...(answer
        ? [head(el(title, {}, 'Answer'), `status ${answer.status}`, answer.headers, mark), ...body(answer.body, mark)]
        : []),
      ...stream(el(title, {}, 'Stream'), exchange.stream ?? []),
      ...(failure === undefined ? [] : [el('p', { class: 'reason' }, visible(failure))]),
    ),
  );
  details.open = open;
  return details;
}

/** Lines for a shell, with a button that copies them. */
export function copyable(line: string, name: string): HTMLElement {
  const button = copyButton('Copy', name, () => line);
  return el('div', { class: 'curl' }, el('pre', { tabindex: '0', 'aria-label': name }, visible(line)), button);
}

/** A button that copies a text, which is made when the button is pressed. */
export function copyButton(label: string, name: string, textOf: () => string): HTMLElement {
  const button = el('button', { type: 'button', class: 'copy', on: { click: copy } }, label);
  return button;

  async function copy(): Promise<void> {
    const done = await copyText(textOf());
    button.textContent = done ? 'Copied' : 'Press Ctrl+C';
    announce(done ? `The ${name} was copied` : 'Copying is not allowed here');
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  }
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** For pages that may not use the clipboard, such as those served over plain http. */
function copyBySelection(text: string): boolean {
  const area = el('textarea', { class: 'unseen', readonly: true });
  area.value = text;
  document.body.append(area);
  const before = document.activeElement;
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return done;
}

function head(title: HTMLElement, first: string, headers: HeaderList, mark?: Mark): HTMLElement {
  const isName = (name: string) => mark?.part === 'header' && name.toLowerCase() === mark.name?.toLowerCase();
  const lines: (readonly [line: string, isMarked: boolean])[] = [
    [first, mark?.part === 'status'],
    ...headers.map(([name, value]) => [`${name}: ${value}`, isName(name)] as const),
    ...(mark?.part === 'header' && !headers.some(([name]) => isName(name))
      ? [[`(no ${mark.name})`, true] as const]
      : []),
  ];
  const shown = lines.flatMap(([line, isMarked]) => [isMarked ? el('mark', {}, visible(line)) : visible(line), '\n']);
  return el('div', {}, title, el('pre', { tabindex: '0' }, shown.slice(0, -1)));
}

function body(recorded: ShownBytes, mark?: Mark): HTMLElement[] {
  if (recorded.size === 0) return [];
  const { base64, text = '' } = recorded;
  const isText = base64 === undefined && !text.includes('\0');
  if (isText && isJson(text)) return [jsonView(text, mark), ...cutNote(recorded)];
  const shown = isText ? marked(text, mark) : hexView(bytesOf(recorded));
  return [
    el('pre', { tabindex: '0', class: isText ? 'text' : 'hex', 'aria-label': 'body' }, shown),
    ...cutNote(recorded),
  ];
}

function stream(title: HTMLElement, pieces: NonNullable<PageExchange['stream']>): HTMLElement[] {
  if (pieces.length === 0) return [];
  const shown = pieces.flatMap((piece) => [
    el(
      'p',
      { class: 'piece' },
      `${piece.size.toLocaleString('en')} bytes ${piece.direction} after ${Math.round(piece.atMs)} ms`,
    ),
    ...(bytesOf(piece).length > 0
      ? [el('pre', { class: 'hex', tabindex: '0', 'aria-label': `bytes ${piece.direction}` }, hexView(bytesOf(piece)))]
      : []),
    ...cutNote(piece),
  ]);
  return [title, ...shown];
}

function cutNote(recorded: ShownBytes): HTMLElement[] {
  if (!recorded.truncated) return [];
  const kept = bytesOf(recorded).length.toLocaleString('en');
  const from = recorded.skipped ? `, from character ${recorded.skipped.toLocaleString('en')} on` : '';
  return [el('p', { class: 'cut' }, `Cut: ${kept} of ${recorded.size.toLocaleString('en')} bytes are shown${from}.`)];
}

function bytesOf({ base64, text }: ShownBytes): Uint8Array {
  if (base64 === undefined) return new TextEncoder().encode(text);
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Offset, sixteen bytes, and the printable ones among them. */
function hexView(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; start += 16) {
    const line = [...bytes.subarray(start, start + 16)];
    const hex = line.map((byte) => byte.toString(16).padStart(2, '0'));
    const halves = `${hex.slice(0, 8).join(' ')}  ${hex.slice(8).join(' ')}`.padEnd(48);
    const ascii = line.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${start.toString(16).padStart(6, '0')}  ${halves}  ${ascii}`);
  }
  return lines.join('\n');
}
