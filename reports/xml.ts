import { visible } from './visible.ts';

/** An element of an XML document; a string is text. */
export interface XmlElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string | number>>;
  readonly children?: readonly (XmlElement | string)[];
}

/** Writes an element, indented by `depth` levels. Characters that XML 1.0 does not allow become visible escapes. */
export function writeXml(element: XmlElement, depth = 0): string {
  const indent = '  '.repeat(depth);
  const children = element.children ?? [];
  const open = indent + startTag(element.name, element.attributes);
  if (children.length === 0) return `${open.slice(0, -1)}/>\n`;
  if (children.every((child) => typeof child === 'string')) {
    // White space around text would become a part of it.
    return `${open}${children.map(escapeText).join('')}</${element.name}>\n`;
  }
  const inner = children.map((child) => (typeof child === 'string' ? escapeText(child) : writeXml(child, depth + 1)));
  return `${open}\n${inner.join('')}${indent}</${element.name}>\n`;
}

/** The start tag alone, for an element whose children are written separately. */
export function startTag(name: string, attributes: XmlElement['attributes'] = {}): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeAttribute(String(value))}"`);
  return `<${name}${written.join('')}>`;
}

function escapeText(text: string): string {
  return visible(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}
