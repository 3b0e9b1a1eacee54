import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'vitest';
import type { Result } from '../../harness/events.ts';
import { allRules } from '../../specs/catalogue.ts';
import { documentedVersions, holdsIn } from '../../specs/versions.ts';
import { workplace } from '../workplace.ts';

export interface Report {
  readonly seed: number;
  readonly options?: object;
  readonly catalogue: { readonly rules: number; readonly digest: string };
  readonly footer: { readonly digest: string };
  readonly total: number;
  readonly end: string;
  readonly endReason: string;
  readonly lost?: { readonly after: string; readonly reason: string };
  readonly left: readonly string[];
  readonly results: readonly Result[];
}

const schema = JSON.parse(readFileSync(new URL('../../reports/report.schema.json', import.meta.url), 'utf8'));
const ajv = new Ajv2020({ allErrors: true, strictRequired: false, strictTypes: false });
formats.default(ajv);
const valid = ajv.compile(schema);

export function hasReport(directory: string): boolean {
  return existsSync(path.join(workplace, directory, 'report.json'));
}

/** The report that a run of the workplace wrote, which has to be valid. */
export function validReport(directory: string): Report {
  const report = JSON.parse(readFileSync(path.join(workplace, directory, 'report.json'), 'utf8'));
  expect(valid(report), ajv.errorsText(valid.errors)).toBe(true);
  return report;
}

/** Rule and version of every verdict, in order. */
export function pairsOf({ results }: Report): string[] {
  return results.map(({ rule, api }) => `${rule} ${api}`).toSorted();
}

/** Every rule whose id begins so, in every version it holds in. */
export function pairsBelow(...prefixes: readonly string[]): string[] {
  return allRules
    .filter(({ id }) => prefixes.some((prefix) => id.startsWith(prefix)))
    .flatMap((rule) => documentedVersions.filter((api) => holdsIn(rule, api)).map((api) => `${rule.id} ${api}`))
    .toSorted();
}
