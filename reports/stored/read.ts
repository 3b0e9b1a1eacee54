import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { apiVersions } from '../../specs/versions.ts';
import { ContentDigest } from '../digest.ts';
import { reportFormat } from '../json.ts';
import { summarize } from '../summary.ts';
import type { StoredReport } from './stored-report.ts';

/** Why a file cannot be relied on as a report. */
export class ReportProblem extends Error {
  /** `unreadable`: there is no such file. `other`: it is something else. `damaged`: it was truncated or edited. */
  readonly kind: 'unreadable' | 'other' | 'damaged';

  constructor(kind: ReportProblem['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ReportProblem';
    this.kind = kind;
  }
}

/** A file that begins like this is meant to be a report, however it ends. */
const beginning = /^\s*\{\s*"format"\s*:/;

/**
 * Reads a report and makes sure that it is complete and unedited.
 * @throws ReportProblem
 */
export async function readReport(file: string): Promise<StoredReport> {
  const text = await textOf(file).catch((error: unknown) => {
    throw new ReportProblem('unreadable', `cannot read ${file}: ${messageOf(error)}`, { cause: error });
  });
  const data = parse(file, text);
  const format: unknown = Object(data).format;
  if (typeof format !== 'number') throw new ReportProblem('other', `${file} is not a report: it has no format version`);
  if (format !== reportFormat) {
    throw new ReportProblem('other', `${file} has format ${format}; this version of the kit reads ${reportFormat}`);
  }
  if (!Object.hasOwn(Object(data), 'footer')) {
    throw new ReportProblem('damaged', `${file} has no footer: it was cut off, or edited after the run`);
  }
  const isReport = await validator();
  if (!isReport(data)) {
    const [first] = isReport.errors ?? [];
    const place = first?.instancePath || 'the report';
    throw new ReportProblem('damaged', `${file} does not match the schema of reports: ${place} ${first?.message}`);
  }
  const problem = contradictionIn(data);
  if (problem !== undefined) throw new ReportProblem('damaged', `${file}: ${problem}`);
  return data;
}

/** The text of a file, which may be compressed. */
async function textOf(file: string): Promise<string> {
  const bytes = await readFile(file);
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return (isCompressed ? await promisify(gunzip)(bytes) : bytes).toString('utf8');
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (beginning.test(text)) {
      const how = text.trimEnd().endsWith('}') ? 'it was edited or damaged' : 'it was cut off';
      throw new ReportProblem('damaged', `${file} is not intact: ${how} (${messageOf(error)})`, { cause: error });
    }
    throw new ReportProblem('other', `${file} is not a report: ${messageOf(error)}`, { cause: error });
  }
}

let compiled: Promise<ValidateFunction<StoredReport>> | undefined;

function validator(): Promise<ValidateFunction<StoredReport>> {
  compiled ??= readFile(new URL('../report.schema.json', import.meta.url), 'utf8').then((schema) => {
    // The kit's tests validate the schema.
    const ajv = new Ajv2020({ strictRequired: false, strictTypes: false, validateSchema: false });
    formats.default(ajv);
    const known = JSON.parse(schema);
    known.$defs.api.enum = apiVersions;
    return ajv.compile<StoredReport>(known);
  });
  return compiled;
}

/** The first statement of the report about itself that is not true. */
function contradictionIn(report: StoredReport): string | undefined {
  const { results, exchanges, footer, summary } = report;
  const counted = Object.keys(exchanges).length;
  if (results.length !== footer.results) {
    return `it has ${results.length} results, but its footer counts ${footer.results}`;
  }
  if (counted !== footer.exchanges) return `it has ${counted} exchanges, but its footer counts ${footer.exchanges}`;
  const again = repeated(results.map(({ rule, api }) => `${rule} in API ${api}`));
  if (again !== undefined) return `it has two results for ${again}`;
  const stranger = Object.entries(exchanges).find(([id, exchange]) => exchange.id !== id);
  if (stranger) return `exchange ${stranger[0]} has the id ${stranger[1].id}`;
  const missing = results.flatMap(({ evidence }) => evidence).find((id) => !Object.hasOwn(exchanges, id));
  if (missing !== undefined && report.exchangesMissing === undefined) return `exchange ${missing} is missing`;
  if (JSON.stringify(summarize(results)) !== JSON.stringify(summary)) return 'its summary does not match its results';
  if (digestOf(report) !== footer.digest) return 'its content is not what the run wrote: it was edited';
  return undefined;
}

function repeated(list: readonly string[]): string | undefined {
  return list.length === new Set(list).size ? undefined : list.find((one, place) => list.indexOf(one) !== place);
}

function digestOf(report: StoredReport): string {
  const { results, exchanges, latency, exchangesMissing, footer, ...head } = report;
  const { digest: _, ...counted } = footer;
  const digest = new ContentDigest();
  digest.add(JSON.stringify(head));
  for (const result of results) digest.add(JSON.stringify(result));
  for (const [id, exchange] of Object.entries(exchanges)) {
    digest.add(`${JSON.stringify(id)}:${JSON.stringify(exchange)}`);
  }
  digest.add(JSON.stringify(latency));
  if (exchangesMissing !== undefined) digest.add(JSON.stringify(exchangesMissing));
  digest.add(JSON.stringify(counted));
  return digest.end();
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
