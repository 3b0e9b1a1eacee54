/** Bytes of a stream that violate its format: their offset, the bytes, and what is wrong with them. */
export class StreamViolation extends Error {
  /** Offset of the first wrong byte from the start of the stream. */
  readonly offset: number;
  /** The bytes there, at most 16. */
  readonly bytes: Buffer;
  readonly says: string;

  constructor(says: string, offset: number, bytes: Uint8Array) {
    const shown = Buffer.from(bytes.subarray(0, 16));
    const hex = shown.toString('hex').replace(/..(?=.)/g, '$& ');
    super(`${says} at offset ${offset}${hex === '' ? '' : `: ${hex}`}`);
    this.offset = offset;
    this.bytes = shown;
    this.says = says;
  }
}

/** Bytes that are not frames. */
export class FrameViolation extends StreamViolation {
  override readonly name = 'FrameViolation';
}

/** Bytes that are not a sequence of JSON objects. */
export class ObjectViolation extends StreamViolation {
  override readonly name = 'ObjectViolation';
}
