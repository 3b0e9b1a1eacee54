/** Bytes as a TEXT of the probe (docs/probe.md). */
export function escaped(bytes: Buffer): string {
  return [...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}

/** What the probe's `out-fill` writes. */
export function fill(size: number): string {
  return 'abcdefghijklmnopqrstuvwxyz'.repeat(Math.ceil(size / 26)).slice(0, size);
}
