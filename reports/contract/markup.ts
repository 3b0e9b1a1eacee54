import { visible } from '../visible.ts';

/** Text as HTML; text in backticks is code. */
export function text(plain: string): string {
  return plain
    .split('`')
    .map((part, place) => (place % 2 === 0 ? escaped(part) : `<code>${escaped(part)}</code>`))
    .join('');
}

/** Text as HTML, without markup. */
export function escaped(plain: string): string {
  return visible(plain)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

export function link(href: string, html: string): string {
  return `<a href="${escaped(href)}">${html}</a>`;
}

/** One item of the contract with its description; `id` makes it a link target. */
export interface Entry {
  readonly id?: string;
  readonly name: string;
  readonly tags: readonly string[];
  /** As HTML. */
  readonly says: string;
}

/** A heading with a list of entries below it; nothing where there are none. */
export function section(title: string, entries: readonly Entry[]): string {
  if (entries.length === 0) return '';
  return `<section>\n<h2>${escaped(title)}</h2>\n<dl>\n${entries.map(entry).join('\n')}\n</dl>\n</section>\n`;
}

function entry({ id, name, tags, says }: Entry): string {
  const code = `<code>${escaped(name)}</code>`;
  const head = [id === undefined ? code : link(`#${id}`, code), ...tags.filter(Boolean).map(tag)].join(' ');
  return `<div${id === undefined ? '' : ` id="${escaped(id)}"`}><dt>${head}</dt><dd>${says}</dd></div>`;
}

function tag(words: string): string {
  return `<span class="tag">${escaped(words)}</span>`;
}

/**
 * A whole page.
 * @param style default: the style sheet next to it
 */
export function page(title: string, body: string, style = '<link rel="stylesheet" href="style.css">'): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
${style}
</head>
<body>
${body}</body>
</html>
`;
}
