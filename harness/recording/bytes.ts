import { isUtf8 } from 'node:buffer';
import type { RecordedBytes } from '../events.ts';
import type { Redactor } from './redact.ts';

/** How much is kept of one body or one piece of a stream. */
export const keptBytes = 64 * 1024;

/**
 * Bytes for the record: text where they are UTF-8 without NUL, else base64; cut off at `keptBytes`, with the full
 * length in `size`.
 */
export function recordBytes(bytes: Uint8Array, redactor: Redactor, size = bytes.length): RecordedBytes {
  const kept = bytes.subarray(0, keptBytes);
  const truncated = size > kept.length;
  // A cut may fall inside a character; its start is within the last three bytes.
  for (let cut = kept.length; cut > kept.length - 4 && cut >= 0; cut--) {
    const whole = kept.subarray(0, cut);
    // Bytes with NUL are not text that anybody would read or paste.
    if (isUtf8(whole) && !whole.includes(0))
      return { size, text: redactor.text(Buffer.from(whole).toString('utf8')), truncated };
    if (!truncated) break;
  }
  return { size, base64: redactor.bytes(kept).toString('base64'), truncated };
}
