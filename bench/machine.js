// What the figures are of: the machine, and how busy it is.
import { cpus, loadavg } from 'node:os';

/** One line for below the table. */
export function machineNote() {
  const load = loadavg()[0]?.toFixed(1);
  const touch = firstTouchUs().toFixed(1);
  return `${cpus().length} processors, load ${load} at the beginning, ${touch} µs for the first touch of a page, Node ${process.version}`;
}

/**
 * Microseconds that a new page of memory takes. What daemons start are short processes, which mostly touch new pages:
 * where page tables are virtualized in software, each takes many times as long as elsewhere, and a run with it.
 */
function firstTouchUs() {
  const pageBytes = 4096;
  const memory = Buffer.allocUnsafeSlow(2 ** 26);
  const before = performance.now();
  for (let at = 0; at < memory.length; at += pageBytes) memory[at] = 1;
  return ((performance.now() - before) * 1000) / (memory.length / pageBytes);
}
