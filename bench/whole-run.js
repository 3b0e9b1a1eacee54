// A whole run of the suite as a user starts it, with all reports; and once more with every exchange kept, which costs
// more, for what was exchanged.
import { existsSync, linkSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { measured, program } from './command.js';

/**
 * @param {readonly string[]} parameters of `run`, besides the report
 * @param {string} directory
 */
export async function wholeRun(parameters, directory) {
  const report = path.join(directory, 'report');
  const used = await measured(program, ['run', ...parameters, '--report', report], directory);
  if (used.status !== 0 && used.status !== 1) throw new Error(`the run ended with ${used.status}\n${used.output}`);
  const { results, options } = JSON.parse(readFileSync(path.join(report, 'report.json'), 'utf8'));
  return { ...used, verdicts: results.length, concurrency: options.concurrency };
}

/**
 * @param {readonly string[]} parameters of `run`, besides the report
 * @param {string} directory
 * @returns all that a whole run exchanges
 */
export async function exchangesOf(parameters, directory) {
  const recorded = path.join(directory, 'recorded.ndjson');
  rmSync(recorded, { force: true });
  // The report cuts bodies, and the run deletes its recordings in the end; a second name for the file keeps them.
  const timer = setInterval(() => linkRecorded(directory, recorded), 50);
  await wholeRun([...parameters, '--all-exchanges'], directory);
  clearInterval(timer);
  return readRecorded(recorded);
}

function linkRecorded(directory, recorded) {
  if (existsSync(recorded)) return;
  for (const name of readdirSync(directory)) {
    const file = path.join(directory, name, 'exchanges.ndjson');
    if (name.startsWith('engine-conformance-') && existsSync(file)) linkSync(file, recorded);
  }
}

/** Without what came back but the identifiers that later requests name. */
function readRecorded(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { madeFor, startedAt, durationMs, request, answer, stream } = JSON.parse(line);
      const begunMs = Date.parse(startedAt);
      const sent = (stream ?? []).filter(({ direction }) => direction === 'sent');
      const ids = idsIn(answer?.body.text ?? '');
      return { madeFor, begunMs, endedMs: begunMs + durationMs, request, sent, isLive: stream !== undefined, ids };
    });
}

/** The identifiers that a daemon gave, in the order of the text. */
export function idsIn(text) {
  return text.match(/\b[0-9a-f]{64}\b/g) ?? [];
}
