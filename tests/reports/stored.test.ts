import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonReport } from '../../reports/json.ts';
import { ReportProblem, readReport } from '../../reports/stored/read.ts';
import { eventsOf, recordOf } from '../../reports/stored/stored-report.ts';
import { overall } from '../../reports/summary.ts';
import { workplace } from '../workplace.ts';
import { sampleRules } from './sample-rules.ts';
import { play, sampleRun } from './sample-run.ts';

const rules = sampleRules.slice(0, 150);
const whole = join(workplace, 'report.json');

/** What reading a report of this text says, if it is not taken. */
async function problemOf(text: string): Promise<{ kind: string; message: string } | undefined> {
  const file = join(workplace, 'changed.json');
  writeFileSync(file, text);
  try {
    await readReport(file);
  } catch (error) {
    if (!(error instanceof ReportProblem)) throw error;
    return { kind: error.kind, message: error.message };
  }
  return undefined;
}

describe('a report that is read back', () => {
  let text: string;
  beforeAll(async () => {
    await play(sampleRun({ rules }), jsonReport(whole));
    text = readFileSync(whole, 'utf8');
  });

  /** The report after a change of its data, written as a program would write it. */
  function changed(change: (report: Editable) => void): string {
    const data: Editable = JSON.parse(text);
    change(data);
    return JSON.stringify(data);
  }

  test('tells the run again, event by event, to the same report', async () => {
    const again = join(workplace, 'again.json');
    await play(eventsOf(await readReport(whole)), jsonReport(again));
    expect(readFileSync(again, 'utf8')).toBe(text);
  });

  test.each(['interrupted', 'lost', 'failed'] as const)('also when the run ended %s', async (end) => {
    const run = sampleRun({ rules, end, endReason: 'ECONNREFUSED', missing: 40, left: ['container ec-1'] });
    const file = join(workplace, `${end}.json`);
    await play(run, jsonReport(file));
    const report = await readReport(file);
    const again = join(workplace, 'again.json');
    await play(eventsOf(report), jsonReport(again));
    expect(readFileSync(again, 'utf8')).toBe(readFileSync(file, 'utf8'));
    expect(overall(recordOf(report)).says).toContain('40 verdicts missing');
  });

  test('is taken with other white space', async () => {
    expect(await problemOf(JSON.stringify(JSON.parse(text), null, 4))).toBeUndefined();
  });

  test('is not taken when it was cut off, wherever', async () => {
    for (let part = 1; part < 20; part++) {
      const cut = text.slice(0, Math.floor((text.length * part) / 20));
      expect(await problemOf(cut), `${part} of 20`).toMatchObject({ kind: 'damaged' });
    }
    const ends = [text.lastIndexOf(',\n  "footer"'), text.lastIndexOf('}'), text.length - 3];
    for (const end of ends) expect(await problemOf(text.slice(0, end))).toMatchObject({ kind: 'damaged' });
    expect(await problemOf(`${text.slice(0, ends[0])}\n}\n`)).toMatchObject({
      kind: 'damaged',
      message: expect.stringContaining('has no footer'),
    });
  });

  test.each<[string, string, (report: Editable) => void]>([
    ['a verdict', 'its summary does not match', (report) => Object.assign(failureIn(report), { verdict: 'pass' })],
    ['a verdict and its count', 'was edited', turnFailure],
    ['what came', 'was edited', (report) => Object.assign(failureIn(report), { actual: 'status 304' })],
    ['a status in an exchange', 'was edited', (report) => bumpStatus(report.exchanges)],
    ['the target', 'was edited', (report) => Object.assign(report.target, { version: '27.0' })],
    [
      'the time of its end',
      'was edited',
      (report) => Object.assign(report.footer, { endedAt: '2027-01-01T00:00:00.000Z' }),
    ],
    ['a result that is gone', 'its footer counts', (report) => report.results.pop()],
    ['an exchange that is gone', 'its footer counts', (report) => delete report.exchanges[lastOf(report.exchanges)]],
    [
      'a member of its own',
      'must NOT have additional properties',
      (report) => Object.assign(report, { note: 'checked by hand' }),
    ],
    [
      'a verdict that there is not',
      'must be equal to one of',
      (report) => Object.assign(failureIn(report), { verdict: 'fine' }),
    ],
  ])('is not taken with another %s', async (_, says, change) => {
    expect(await problemOf(changed(change))).toMatchObject({
      kind: 'damaged',
      message: expect.stringContaining(says),
    });
  });

  test.each([
    ['of another format', '{ "format": 2 }', 'has format 2; this version of the kit reads 1'],
    ['JSON of another sort', '[]', 'has no format version'],
    ['no JSON', '<testsuites/>', 'is not a report'],
    ['nothing', '', 'is not a report'],
  ])('is told from what is %s', async (_, other, says) => {
    expect(await problemOf(other)).toMatchObject({ kind: 'other', message: expect.stringContaining(says) });
  });

  test('that is not there', async () => {
    await expect(readReport(join(workplace, 'none.json'))).rejects.toMatchObject({ kind: 'unreadable' });
  });
});

/** A report as somebody who edits it sees it. */
interface Editable {
  readonly target: object;
  readonly footer: object;
  readonly summary: { counts: EditableCounts; areas: Record<string, Record<string, EditableCounts>> };
  readonly results: { verdict: string; readonly level: string; readonly area: string; readonly api: string }[];
  readonly exchanges: Record<string, { answer?: { status: number } }>;
}

interface EditableCounts {
  fail: number;
  pass: number;
}

function failureIn({ results }: Editable): Editable['results'][number] {
  const failure = results.find(({ verdict, level }) => verdict === 'fail' && level === 'must');
  if (!failure) throw new Error('nothing fails in the sample run');
  return failure;
}

function turnFailure(report: Editable): void {
  const result = failureIn(report);
  result.verdict = 'pass';
  for (const counts of [report.summary.counts, report.summary.areas[result.area]?.[result.api]]) {
    if (!counts) throw new Error('the summary does not count the failure');
    counts.fail--;
    counts.pass++;
  }
}

function bumpStatus(exchanges: Record<string, { answer?: { status: number } }>): void {
  const answered = Object.values(exchanges).find(({ answer }) => answer);
  if (!answered?.answer) throw new Error('no exchange has an answer');
  answered.answer.status = 204;
}

function lastOf(members: object): string {
  return Object.keys(members).at(-1) ?? '';
}
