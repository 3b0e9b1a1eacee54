import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { RunHandler } from '../harness/events.ts';
import { UsageError } from '../harness/usage-error.ts';
import { badgeReport } from '../reports/badge.ts';
import { contractFolder } from '../reports/contract/addresses.ts';
import { contractReport } from '../reports/contract/pages.ts';
import { htmlReport } from '../reports/html/report.ts';
import { jsonReport } from '../reports/json.ts';
import { type JunitOptions, junitReport } from '../reports/junit.ts';
import { markdownReport } from '../reports/markdown.ts';
import { reproScripts } from '../reports/repro/files.ts';
import { allRules } from '../specs/catalogue.ts';
import { setAside } from './earlier-report.ts';
import { knowledgeOf } from './explain/knowledge.ts';
import { type AskedReporter, askedIn, type ReporterFlags } from './reporters.ts';

const reports: Readonly<Record<string, (file: string, options: JunitOptions) => RunHandler>> = {
  'report.json': (file) => jsonReport(file),
  'junit.xml': (file, options) => junitReport(file, allRules, options),
  'index.html': (file, { findCauses }) =>
    htmlReport(file, allRules, {
      contract: contractFolder,
      knowRule: knowledgeOf,
      ...(findCauses && { findCauses }),
    }),
  'summary.md': (file, { findCauses }) =>
    markdownReport(file, allRules, { contract: contractFolder, ...(findCauses && { findCauses }) }),
  'badge.svg': (file) => badgeReport(file),
};

/** The folder of the scripts that reproduce failures. */
const scripts = 'repro';

export interface ReportFiles {
  readonly directory: string;
  readonly json: string;
  readonly handlers: readonly RunHandler[];
  /** Where the report of an earlier run is; undefined where there was none, or the run has begun. */
  readonly earlier: string | undefined;
  /** What could not be written, once the run has ended. */
  readonly problems: readonly string[];
}

/**
 * The report files of a run. Those of an earlier run are moved aside, and removed when this one has begun. One that cannot
 * be written does not keep the others from being written.
 * @param flags what is to be written beside them
 * @throws UsageError when the directory cannot be made, or has files that are no part of a report
 */
export function reportFiles(directory: string, options: JunitOptions, flags: ReporterFlags): ReportFiles {
  const absolute = path.resolve(directory);
  try {
    makeDirectory(absolute);
    accessSync(absolute, constants.W_OK);
  } catch (error) {
    throw new UsageError(`cannot write the reports (--report): ${reasonOf(error)}`);
  }
  const earlier = setAside(absolute, [...Object.keys(reports), contractFolder], scripts);
  const removeEarlier: RunHandler = ({ type }) => {
    if (type === 'run-started') earlier.remove();
  };
  const problems: string[] = [];
  const written = (name: string, handler: RunHandler): RunHandler => {
    return async (event) => {
      try {
        await handler(event);
      } catch (error) {
        problems.push(`could not write ${name}: ${reasonOf(error)}`);
      }
    };
  };
  return {
    directory: absolute,
    json: path.join(absolute, 'report.json'),
    problems,
    get earlier() {
      return earlier.directory;
    },
    handlers: [
      removeEarlier,
      atOnce([
        ...Object.entries(reports).map(([name, report]) => written(name, report(path.join(absolute, name), options))),
        written('the pages of the contract', contractReport(path.join(absolute, contractFolder))),
        written('the scripts that reproduce failures', reproScripts(path.join(absolute, scripts))),
        ...askedIn(flags).map(({ named, place, load }) => written(named, loaded(load, path.resolve(place)))),
      ]),
    ],
  };
}

/** Each waits for files most of the time, so none waits for another. */
function atOnce(handlers: readonly RunHandler[]): RunHandler {
  return async (event) => {
    await Promise.all(handlers.map((handler) => handler(event)));
  };
}

function loaded(load: AskedReporter['load'], place: string): RunHandler {
  let handler: Promise<RunHandler> | undefined;
  return async (event) => {
    handler ??= load().then((make) => make(place));
    await (await handler)(event);
  };
}

/**
 * Makes a directory and those above it, one after another: where nothing can be made, as in /proc, node's own way to make
 * all of them tries for ever.
 */
function makeDirectory(directory: string): void {
  if (existsSync(directory) && statSync(directory).isDirectory()) return;
  const above = path.dirname(directory);
  if (above !== directory && !existsSync(above)) makeDirectory(above);
  mkdirSync(directory);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
