import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Result } from '../../harness/events.ts';
import { newestDocumented } from '../../specs/versions.ts';
import { engineConformance } from '../cli/command.ts';
import { hasReport, validReport } from '../cli/report.ts';
import { atEndOfFile, workplace } from '../workplace.ts';
import { degenerate } from './daemons.ts';

interface Judged {
  readonly status: number | null;
  readonly stderr: string;
  readonly tookMs: number;
  readonly results: readonly Result[];
  /** Rules of level must that pass, each once. */
  readonly passed: readonly string[];
}

const table: string[] = [];

function printTable(): void {
  process.stdout.write(`must rules that pass on degenerate daemons\n${table.splice(0).join('\n')}\n`);
}

/** Judges a daemon; how much of it passes, and how long it took, is printed at the end. */
export async function judged(name: string, address: string, more: readonly string[] = []): Promise<Judged> {
  if (table.length === 0) atEndOfFile(printTable);
  const report = path.join('degenerate', `${table.length}`);
  mkdirSync(path.join(workplace, 'degenerate'), { recursive: true });
  const started = Date.now();
  const args = ['run', '--target', address, '--report', report, '--seed', '1', '--quiet', ...more];
  const { status, stderr } = await engineConformance(args);
  const tookMs = Date.now() - started;
  const results = hasReport(report) ? validReport(report).results : [];
  const must = results.filter(({ level, verdict }) => level === 'must' && verdict !== 'untested' && verdict !== 'skip');
  const pass = must.filter(({ verdict }) => verdict === 'pass');
  const share = must.length === 0 ? '-' : `${((pass.length / must.length) * 100).toFixed(1)} %`;
  table.push(`${name.padEnd(34)} ${pass.length}/${must.length} ${share}, status ${status}, ${tookMs} ms`);
  return { status, stderr, tookMs, results, passed: [...new Set(pass.map(({ rule }) => rule))].toSorted() };
}

/** Starts a daemon by what it does. */
export function of(name: string): Promise<string> {
  const start = degenerate[name];
  if (!start) throw new Error(`no such daemon: ${name}`);
  return start();
}

/** The checks are the same in all versions, and so are these daemons; some are judged in all of them nevertheless. */
export const inOne = ['--api', newestDocumented];

/** No run waits for ever; how long each takes is printed. */
export const endsMs = 300_000;
