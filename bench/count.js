// Tells how much a run asked of its daemon, from the report of `run --all-exchanges --report DIR`:
// node bench/count.js DIR [--by endpoint|check]
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { checkLines, countsOf, endpointLines } from './counts.js';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { by: { type: 'string' } } });
const [directory] = positionals;
if (directory === undefined || (values.by !== undefined && !['endpoint', 'check'].includes(values.by))) {
  console.error('usage: node bench/count.js DIR [--by endpoint|check]');
  process.exit(2);
}
const { options, exchanges } = JSON.parse(readFileSync(path.join(directory, 'report.json'), 'utf8'));
if (options?.allExchanges !== true) {
  console.error('the report holds a part of the exchanges only; make it with run --all-exchanges');
  process.exit(2);
}
const counts = countsOf(Object.values(exchanges));
const { starts, creates, builds, requests } = counts;
console.log(`${starts} container starts, ${creates} creates, ${builds} builds, ${requests} requests`);
if (values.by === 'endpoint') console.log(endpointLines(counts).join('\n'));
if (values.by === 'check') console.log(checkLines(counts).join('\n'));
