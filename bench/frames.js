// Decodes a stream of frames that is never in memory as a whole; prints GB/s and how far the memory grew, as JSON.
import { FrameDecoder } from '../dist/harness/streams/frames.js';

const total = 2 ** 30;
const chunkSize = 64 * 1024;
const payload = 16 * 1024 - 8;

const frame = Buffer.alloc(8 + payload, 0x61);
frame.fill(0, 0, 8);
frame[0] = 1;
frame.writeUInt32BE(payload, 4);
// One byte more than whole frames, so that chunks end anywhere in a frame.
const stream = Buffer.concat(Array.from({ length: 4 * (chunkSize / frame.length) + 1 }, () => frame));

decode(total / 16); // Compiled and warm.
global.gc?.();
const before = process.memoryUsage().rss;
const startedAt = performance.now();
const { bytes, pieces, peak } = decode(total);
const seconds = (performance.now() - startedAt) / 1000;
console.log(JSON.stringify({ gbPerS: bytes / 1e9 / seconds, grewMb: Math.max(0, peak - before) / 2 ** 20, pieces }));

function decode(size) {
  const decoder = new FrameDecoder();
  let [bytes, pieces, peak, at, chunks] = [0, 0, 0, 0, 0];
  while (bytes < size) {
    const chunk = stream.subarray(at, at + chunkSize - 1);
    at = (at + chunk.length) % stream.length;
    bytes += chunk.length;
    pieces += decoder.push(chunk).length;
    if (++chunks % 256 === 0) peak = Math.max(peak, process.memoryUsage().rss);
  }
  return { bytes, pieces, peak };
}
