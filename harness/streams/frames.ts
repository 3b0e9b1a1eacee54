export type StreamName = 'stdin' | 'stdout' | 'stderr';
export interface Frame {
  readonly stream: StreamName;
  readonly payload: Buffer;
}
export class FrameViolation extends Error {
  override readonly name = 'FrameViolation';
}
const names: readonly StreamName[] = ['stdin', 'stdout', 'stderr'];
export function decodeFrames(bytes: Uint8Array): Frame[] {
  const buffer = Buffer.from(bytes);
  const frames: Frame[] = [];
  for (let at = 0; at < buffer.length; ) {
    if (at + 8 > buffer.length) throw new FrameViolation(`header cut at offset ${at}`);
    const stream = names[buffer[at] ?? 9];
    if (!stream || buffer.readUIntBE(at + 1, 3) !== 0)
      throw new FrameViolation(`bad header at offset ${at}: ${buffer.subarray(at, at + 8).toString('hex')}`);
    const size = buffer.readUInt32BE(at + 4);
    if (at + 8 + size > buffer.length) throw new FrameViolation(`payload cut at offset ${at}`);
    frames.push({ stream, payload: buffer.subarray(at + 8, at + 8 + size) });
    at += 8 + size;
  }
  return frames;
}
export function outputs(frames: readonly Frame[]): Record<StreamName, Buffer> {
  const of = (name: StreamName) =>
    Buffer.concat(frames.filter(({ stream }) => stream === name).map(({ payload }) => payload));
  return { stdin: of('stdin'), stdout: of('stdout'), stderr: of('stderr') };
}
