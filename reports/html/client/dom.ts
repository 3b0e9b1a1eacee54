type Listeners = Readonly<Record<string, (event: Event) => void>>;

interface Attributes {
  readonly on?: Listeners;
  readonly [name: string]: string | boolean | undefined | Listeners;
}

type Child = Node | string | undefined;

/** The contents of an element: single items, or lists of them. */
export type Children = readonly (Child | readonly Child[])[];

/**
 * Makes an element. `on` holds listeners, every other key is an attribute; `false` and `undefined` leave it out.
 * Strings among the children become text, never markup: nothing that a daemon sent is read as HTML.
 */
export function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Children
): HTMLElementTagNameMap[Name] {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'object') {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else if (value !== undefined && value !== false) {
      node.setAttribute(key, value === true ? '' : value);
    }
  }
  node.append(...children.flat().flatMap((child) => (child === undefined || child === '' ? [] : [child])));
  return node;
}

/** An element of the page's template. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element ${id}`);
  return found;
}

/** Announces something to screen readers. */
export function announce(text: string): void {
  byId('announcer').textContent = text;
}

/** Fills a `details` element when it is opened for the first time. */
export function fillWhenOpened(details: HTMLDetailsElement, fill: () => unknown): void {
  const onToggle = () => {
    if (!details.open) return;
    details.removeEventListener('toggle', onToggle);
    fill();
  };
  details.addEventListener('toggle', onToggle);
}

/** Text with the words in backticks as code. */
export function withCode(text: string): (string | HTMLElement)[] {
  return text.split('`').map((part, place) => (place % 2 === 0 ? part : el('code', {}, part)));
}

/** A term with what it means, for a `dl`. */
export function fact(term: string, ...text: Children): HTMLElement {
  return el('div', {}, el('dt', {}, term), el('dd', {}, ...text));
}
