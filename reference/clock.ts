const wallStart = BigInt(Date.now()) * 1_000_000n;
const hrStart = process.hrtime.bigint();
let last = 0n;

/** The time in nanoseconds since the epoch; strictly increasing, so that it puts events in order. */
export function now(): bigint {
  const time = wallStart + (process.hrtime.bigint() - hrStart);
  last = time > last ? time : last + 1n;
  return last;
}

/** Whole seconds since the epoch of a time in nanoseconds. */
export function seconds(time: bigint): number {
  return Number(time / 1_000_000_000n);
}

/** The timestamp that stands for "never". */
const never = '0001-01-01T00:00:00Z';

/** RFC 3339 in UTC with nanoseconds; `never` for undefined. */
export function timestamp(time: bigint | undefined): string {
  if (time === undefined) return never;
  const date = new Date(seconds(time) * 1000).toISOString().slice(0, 19);
  return `${date}.${(time % 1_000_000_000n).toString().padStart(9, '0')}Z`;
}

/** How long ago `time` was, in words. */
export function ago(time: bigint): string {
  const elapsed = Number((now() - time) / 1_000_000_000n);
  if (elapsed < 1) return 'Less than a second';
  if (elapsed < 120) return `${elapsed} second${elapsed === 1 ? '' : 's'}`;
  if (elapsed < 7200) return `${Math.floor(elapsed / 60)} minutes`;
  if (elapsed < 172_800) return `${Math.floor(elapsed / 3600)} hours`;
  return `${Math.floor(elapsed / 86_400)} days`;
}
