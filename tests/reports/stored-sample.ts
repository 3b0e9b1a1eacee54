import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jsonReport } from '../../reports/json.ts';
import { readReport } from '../../reports/stored/read.ts';
import type { StoredReport } from '../../reports/stored/stored-report.ts';
import { sampleRules } from './sample-rules.ts';
import { play, type SampleOptions, sampleRun } from './sample-run.ts';

/** Some of the sample's rules, with every verdict among them. */
export const someRules = sampleRules.slice(0, 150);

/** The report of a sample run of some rules, written and read back. */
export async function storedSample(options: SampleOptions = {}): Promise<StoredReport> {
  const directory = mkdtempSync(join(tmpdir(), 'ec-sample-'));
  try {
    const file = join(directory, 'report.json');
    await play(sampleRun({ rules: someRules, ...options }), jsonReport(file));
    return await readReport(file);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
