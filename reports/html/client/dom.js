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
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]|\p{Cs}/gu,
    (character) => {
      if (character === '\r') return '\\r';
      const code = character.codePointAt(0).toString(16);
      return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`;
    },
  );
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
