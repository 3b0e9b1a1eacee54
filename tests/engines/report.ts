import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** What these tests read of a `report.json`. */
export interface Report {
  readonly end: string;
  readonly left: readonly unknown[];
  readonly results: readonly JudgedRule[];
}

export interface JudgedRule {
  readonly rule: string;
  readonly api: string;
  readonly verdict: string;
  readonly level: string;
  readonly reason: string;
}

/** @throws Error when there is no report or it is not one */
export async function readReport(directory: string): Promise<Report> {
  const report: unknown = JSON.parse(await readFile(path.join(directory, 'report.json'), 'utf8'));
  const { end, left, results }: Record<string, unknown> = { ...Object(report) };
  if (typeof end !== 'string' || !Array.isArray(left) || !Array.isArray(results)) throw new Error('not a report');
  return {
    end,
    left,
    results: results.map((result: unknown) => ({
      rule: String(Object(result).rule),
      api: String(Object(result).api),
      verdict: String(Object(result).verdict),
      level: String(Object(result).level),
      reason: String(Object(result).reason),
    })),
  };
}

/** Number of results by version, then by verdict. */
export function counts({ results }: Report): Record<string, Record<string, number>> {
  const byVersion: Record<string, Record<string, number>> = {};
  for (const { api, verdict } of results) {
    const ofVersion = byVersion[api] ?? {};
    byVersion[api] = ofVersion;
    ofVersion[verdict] = (ofVersion[verdict] ?? 0) + 1;
  }
  return byVersion;
}

/** What was blocked and is in no baseline, which only an observation may be, a line each. */
export function blocked({ results }: Report): string[] {
  return results
    .filter(({ verdict }) => verdict === 'blocked')
    .map(({ rule, api, reason }) => `blocked: ${rule} [${api}] ${reason}`);
}
