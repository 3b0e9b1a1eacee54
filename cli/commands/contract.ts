import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../../harness/usage-error.ts';
import { contractPages } from '../../reports/contract/pages.ts';
import { type Difference, differences } from '../../specs/export/differences.ts';
import { type Counts, figures } from '../../specs/export/figures.ts';
import { jsonSchemas } from '../../specs/export/json-schema.ts';
import { rulesPage } from '../../specs/export/markdown.ts';
import { openApi } from '../../specs/export/openapi.ts';
import { ruleRecords } from '../../specs/export/rules.ts';
import { interpretations } from '../../specs/interpretations.ts';
import {
  type ApiVersion,
  apiVersions,
  documentedVersions,
  isApiVersion,
  versionsInWords,
} from '../../specs/versions.ts';
import { exitStatus } from '../exit-status.ts';

export interface ContractFlags {
  readonly api?: readonly ApiVersion[];
  readonly format?: 'openapi' | 'json-schema' | 'rules' | 'markdown' | 'html';
  /** The directory that the files are written to. */
  readonly out?: string;
  /** Two versions to compare. */
  readonly diff?: readonly string[];
  readonly figures?: boolean;
}

/**
 * Writes the contract in the requested format, or prints the differences between two versions. @returns the exit status
 */
export function contractCommand(flags: ContractFlags): number {
  const asked = [flags.format, flags.diff, flags.figures].filter((one) => one !== undefined);
  if (asked.length !== 1) throw new UsageError('contract needs exactly one of --format, --diff and --figures');
  if (flags.diff) return printDifferences(flags.diff);
  if (flags.figures) return printFigures();
  if (flags.out === undefined) throw new UsageError('--format needs --out, the directory to write to');
  const written = filesOf(flags).map(([name, text]) => {
    const file = path.join(flags.out ?? '.', name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  });
  process.stdout.write(`${written.length === 1 ? written[0] : `${written.length} files in ${flags.out}`}\n`);
  return exitStatus.kept;
}

type File = readonly [name: string, text: string];

/**
 * Rules of all versions are in one file. Files of single versions are in separate directories, if there are several.
 */
function filesOf({ format, api }: ContractFlags): File[] {
  if (format === 'html') {
    if (api !== undefined) throw new UsageError('--format html covers all versions: leave out --api');
    return [...contractPages()];
  }
  const versions = api ?? documentedVersions;
  const [only, ...others] = versions;
  if (others.length === 0) return filesOfVersion(format, only);
  if (api === undefined && (format === 'rules' || format === 'markdown')) return filesOfVersion(format, undefined);
  return versions.flatMap((version) =>
    filesOfVersion(format, version).map(([name, text]) => [path.join(version, name), text] as const),
  );
}

function filesOfVersion(format: ContractFlags['format'], api: ApiVersion | undefined): File[] {
  if (format === 'markdown') return [['rules.md', rulesPage(api)]];
  if (format === 'rules') return [['rules.json', json({ rules: ruleRecords(api), interpretations })]];
  if (api === undefined) return [];
  if (format === 'openapi') return [['openapi.json', json(openApi(api))]];
  return [...jsonSchemas(api)].map(([title, schema]) => [`${title}.json`, json(schema)] as const);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function printDifferences(versions: readonly string[]): number {
  const [one, other, ...more] = versions;
  if (one === undefined || other === undefined || more.length > 0 || !isApiVersion(one) || !isApiVersion(other)) {
    throw new UsageError(`--diff takes two of the versions ${versionsInWords(apiVersions)}`);
  }
  const found = differences(one, other);
  const lines = found.map(({ change, subject, name, endpoint, what }: Difference) => [
    { added: '+', removed: '-', changed: '~' }[change],
    subject,
    endpoint,
    name,
    what,
  ]);
  process.stdout.write(`${columns([['', 'subject', 'endpoint', 'name', 'what'], ...lines])}\n`);
  process.stdout.write(`${found.length} differences between ${one} and ${other}\n`);
  return exitStatus.kept;
}

function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, place) => Math.max(...rows.map((cells) => (cells[place] ?? '').length)));
  return rows
    .map((cells) =>
      cells
        .map((cell, place) => cell.padEnd(widths[place] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function printFigures(): number {
  const { rules, endpoints, schemas, rows } = figures();
  const lines = [
    `rules: ${rules.all}`,
    `  by kind: ${inWords(rules.byKind)}`,
    `  by level: ${inWords(rules.byLevel)}`,
    `  by area: ${inWords(rules.byArea)}`,
    `  by version: ${inWords(rules.byVersion)}`,
    `  based on interpretations: ${rules.onInterpretations}`,
    `  not decidable by a black-box check: ${rules.unchecked}`,
    `endpoints: ${endpoints.all} (${inWords(endpoints.byVersion)})`,
    `schemas: ${inWords(schemas.byVersion)}`,
    `statements of the documents: ${rows.all}, ${rows.withRules} with rules, ${rows.withReason} with a reason for having none`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return exitStatus.kept;
}

function inWords(counts: Counts): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
