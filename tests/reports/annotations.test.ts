import { expect, test } from 'vitest';
import { annotationsOf } from '../../reports/annotations.ts';
import { deviationsOf } from '../../reports/deviations.ts';
import { recordOfSample } from './sample-record.ts';
import { sampleRules } from './sample-rules.ts';

/** A workflow command as GitHub's runner reads it. */
function read(line: string): { name: string; title: string; message: string } {
  const [, name = '', properties = '', data = ''] = /^::(\w+) ([^:]*)::(.*)$/.exec(line) ?? [];
  const decode = (text: string) => text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
  const [, title = ''] = /^title=([^,]*)$/.exec(properties) ?? [];
  return { name, title: decode(title.replaceAll('%3A', ':').replaceAll('%2C', ',')), message: decode(data) };
}

test('annotates the gravest deviations, no more than GitHub shows, and says how it came out', async () => {
  const record = await recordOfSample();
  const lines = annotationsOf(record, sampleRules);
  expect(lines).toHaveLength(10);
  const all = deviationsOf(record.results);
  const [first] = lines.map(read);
  const [gravest] = all;
  expect(first).toMatchObject({ name: 'error', title: `${gravest?.result.rule} [${gravest?.apis.join(', ')}]` });
  expect(first?.message).toContain('\nexpected: status 304 and no body\nactual: status 500');
  expect(first?.message).toMatch(/\nDocument \d, /);
  expect(read(lines.at(-1) ?? '').message).toContain(`${all.length - 9} more are in the summary and the report.`);
});

test('what a daemon sent begins no command of its own', async () => {
  for (const line of annotationsOf(await recordOfSample(), sampleRules)) {
    expect(line).toMatch(/^::(error|warning) title=[^:]+::/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    expect(line).not.toMatch(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/);
  }
});

test('a run without deviations has none, and one that was lost has', async () => {
  expect(annotationsOf(await recordOfSample({ verdictOf: () => 'pass' }))).toEqual([]);
  const lost = await recordOfSample({ end: 'lost', endReason: 'ECONNREFUSED', missing: 2, verdictOf: () => 'pass' });
  const [line = '', ...others] = annotationsOf(lost);
  expect(others).toEqual([]);
  expect(read(line)).toEqual({
    name: 'error',
    title: 'Conformance',
    message: 'The target was lost: ECONNREFUSED; 2 verdicts missing.',
  });
});
