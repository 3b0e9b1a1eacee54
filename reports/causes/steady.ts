/**
 * What differs between runs in a daemon's messages: bytes, names chosen by the suite, identifiers, addresses, numbers.
 */
const volatile: readonly RegExp[] = [
  /(?<=\bat offset )\d+: [0-9a-f]{2}(?: [0-9a-f]{1,2})*…?/g,
  /(?<![0-9a-z])ec-[0-9a-z]{10,}(?:-[0-9a-z]+)+/g,
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi,
  /\b(?:sha256:)?[0-9a-f]{12,}\b/g,
  /(?:\/[\w.:-]+){3,}\/?/g,
  /\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b/g,
  /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g,
  /\b\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?/g,
  /\b\d{5,}\b/g,
  /\bx\d+\b/g,
];

/** A text without what differs between runs, so that the same thing is always described by the same text. */
export function steadyText(text: string): string {
  return volatile
    .reduce((rest, pattern) => rest.replace(pattern, '…'), text)
    .replace(/\s+/g, ' ')
    .trim();
}

/** Whether such a text says more than a number, a flag or nothing: equal ones are then hardly a coincidence. */
export function isTelling(text: string): boolean {
  return (text.match(/\p{L}{2,}/gu) ?? []).filter((word) => !trivial.has(word.toLowerCase())).join('').length >= 8;
}

const trivial = new Set(['true', 'false', 'null', 'nothing', 'status', 'with', 'an', 'empty', 'body', 'no', 'header']);
