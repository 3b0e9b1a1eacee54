/** A value in one line for a message, cut off before it fills a screen. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? inner.toString() : inner));
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

/** Bytes as hexadecimal pairs with their text, cut after `most` bytes. */
export function showBytes(bytes: Uint8Array, most = 48): string {
  const shown = Buffer.from(bytes.subarray(0, most));
  const hex = shown.toString('hex').replace(/..(?=.)/g, '$& ');
  return `${bytes.length} bytes: ${hex}${bytes.length > most ? ' …' : ''} (${JSON.stringify(shown.toString('latin1'))})`;
}
