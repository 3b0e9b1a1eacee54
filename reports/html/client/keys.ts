import { el } from './dom.ts';

/** What the keys do, in the order of the help. */
const helped: readonly (readonly [keys: string, does: string])[] = [
  ['/', 'search the rules'],
  ['j k', 'next and previous cause or rule'],
  ['o', 'open or close it'],
  ['?', 'show or hide this list'],
];

/** The causes and rules that the keys lead through. */
const rows = '.cause > summary, .rule > summary';

const help = el(
  'dialog',
  { class: 'keys', 'aria-label': 'Keys' },
  el('h2', {}, 'Keys'),
  el(
    'dl',
    {},
    helped.map(([keys, does]) =>
      el(
        'div',
        {},
        el(
          'dt',
          {},
          keys.split(' ').flatMap((key) => [el('kbd', {}, key), ' ']),
        ),
        el('dd', {}, does),
      ),
    ),
  ),
  el('form', { method: 'dialog' }, el('button', { class: 'quiet' }, 'Close')),
);

/** Lets readers walk through the page with single keys. Returns the button that lists them. */
export function listenToKeys(): HTMLElement {
  document.body.append(help);
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const act = actions[event.key];
    if (!act || (help.open && event.key !== '?')) return;
    event.preventDefault();
    act();
  });
  return el('button', { type: 'button', class: 'quiet', on: { click: toggleHelp } }, 'Keys');
}

const actions: Readonly<Record<string, () => void>> = {
  '/': () => document.getElementById('filter-text')?.focus(),
  j: () => step(1),
  k: () => step(-1),
  o: () => current()?.click(),
  '?': toggleHelp,
};

function toggleHelp(): void {
  if (help.open) help.close();
  else help.showModal();
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, select, textarea');
}

/** The cause or rule that has the focus, also if something inside it has. */
function current(): HTMLElement | undefined {
  const row = document.activeElement?.closest('.cause, .rule');
  return row?.querySelector<HTMLElement>(':scope > summary') ?? undefined;
}

/** Goes to the next row or to the previous one; without a focus, to the first that the reader sees. */
function step(by: 1 | -1): void {
  const shown = [...document.querySelectorAll<HTMLElement>(rows)].filter((row) => !row.closest('[hidden]'));
  const from = current();
  const next = from ? shown[shown.indexOf(from) + by] : shown.find((row) => row.getBoundingClientRect().top >= 0);
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
