const bytesPerLine = 16;

/** A hex view: offset, sixteen bytes, and the printable ASCII among them. `offset` numbers the first byte. */
export function hexView(bytes: Uint8Array, offset = 0): string {
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; start += bytesPerLine) {
    const line = bytes.subarray(start, start + bytesPerLine);
    const hex = [...line].map((byte) => byte.toString(16).padStart(2, '0'));
    const halves = `${hex.slice(0, 8).join(' ')}  ${hex.slice(8).join(' ')}`;
    const ascii = [...line].map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${(offset + start).toString(16).padStart(8, '0')}  ${halves.padEnd(48)}  ${ascii}`);
  }
  return lines.join('\n');
}
