import { escaped } from './visible.js';

/**
 * Makes an element. `on` holds listeners, every other key is an attribute; `false` and `undefined` leave it out.
 * Strings among the children become text, never markup: nothing that a daemon sent is read as HTML.
 */
export function el(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === 'on') {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else if (value !== undefined && value !== false) {
      node.setAttribute(key, value === true ? '' : value);
    }
  }
  node.append(...children.flat().filter((child) => child !== undefined && child !== ''));
  return node;
}

/** Invisible characters, and those that turn the direction of text, as escapes that a reader can see. */
export function visible(text) {
  return escaped(text);
}

/** Tells a screen reader what happened. */
export function announce(text) {
  document.getElementById('announcer').textContent = text;
}

/** Fills a `details` element when it is opened for the first time. */
export function fillWhenOpened(details, fill) {
  const onToggle = () => {
    if (!details.open) return;
    details.removeEventListener('toggle', onToggle);
    fill();
  };
  details.addEventListener('toggle', onToggle);
}

/** Text with the words in backticks as code. */
export function withCode(text) {
  return text.split('`').map((part, place) => (place % 2 === 0 ? part : el('code', {}, part)));
}

export function plural(number, noun) {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}
