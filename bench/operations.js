// Tells what single operations take on a daemon, which then has all that they made removed:
// node bench/operations.js unix:///path/to/daemon.sock
import { median } from './median.js';
import { costsOfOperations } from './operation-costs.js';

const socketPath = /^unix:\/\/(.+)$/.exec(process.argv[2] ?? '')?.[1];
if (socketPath === undefined) {
  console.error('usage: node bench/operations.js unix:///path/to/daemon.sock');
  process.exit(2);
}
const costs = await costsOfOperations(socketPath).catch((error) => {
  console.error(`the operations on ${socketPath} failed: ${error.message}`);
  process.exit(3);
});
for (const { what, wallMs, cpuMs } of costs) {
  const cpu = cpuMs === undefined ? 'CPU time is not known here' : `${cpuMs.toFixed(0)} ms of CPU time`;
  console.log(`${what.padEnd(32)} ${median(wallMs).toFixed(0).padStart(5)} ms, ${cpu}`);
}
