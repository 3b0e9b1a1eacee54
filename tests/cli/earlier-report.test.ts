import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { setAside } from '../../cli/earlier-report.ts';
import { workplace } from '../workplace.ts';

const names = ['report.json', 'index.html'];
const ofThisTool = '{ "format": 1, "tool": { "name": "engine-conformance" } }';

let count = 0;

/** A directory with these files. */
function directoryWith(files: Readonly<Record<string, string>>): string {
  const directory = path.join(workplace, `reports-${++count}`);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(directory, name)), { recursive: true });
    writeFileSync(path.join(directory, name), text);
  }
  return directory;
}

test('a report is moved aside, with its scripts, and other files stay', () => {
  const directory = directoryWith({
    ...{
      'report.json': ofThisTool,
      'index.html': '',
      'repro/containers.list.field.Mounts[].Name@1.23.sh': '',
      'README.md': 'own',
    },
    'earlier/report.json': ofThisTool,
  });
  const earlier = setAside(directory, names, 'repro');
  expect(readdirSync(directory).toSorted()).toEqual(['README.md', 'earlier']);
  expect(readdirSync(earlier.directory ?? '').toSorted()).toEqual(['index.html', 'report.json', 'repro']);
  earlier.remove();
  expect(readdirSync(directory)).toEqual(['README.md']);
});

test('one that was moved aside stays there in the next run that cannot begin', () => {
  const directory = directoryWith({ 'earlier/report.json': ofThisTool });
  expect(setAside(directory, names, 'repro').directory).toBe(path.join(directory, 'earlier'));
  expect(readdirSync(path.join(directory, 'earlier'))).toEqual(['report.json']);
});

test.each([
  ['a page without a report', { 'index.html': '' }, 'index.html'],
  ['a report of something else', { 'report.json': '{}' }, 'report.json'],
  ['notes among the scripts', { 'report.json': ofThisTool, 'repro/notes.txt': '' }, 'repro/notes.txt'],
  ['a folder of that name', { 'report.json': ofThisTool, 'earlier/photo.jpg': '' }, 'earlier'],
])('%s: nothing is moved', (_, files, foreign) => {
  const directory = directoryWith(files);
  const before = readdirSync(directory, { recursive: true });
  expect(() => setAside(directory, names, 'repro')).toThrow(`has ${foreign}, which is not of an earlier report`);
  expect(readdirSync(directory, { recursive: true })).toEqual(before);
});

test('a folder named earlier that is not of this tool is left alone', () => {
  const directory = directoryWith({ 'earlier/photo.jpg': '' });
  const earlier = setAside(directory, names, 'repro');
  expect(earlier.directory).toBeUndefined();
  earlier.remove();
  expect(readdirSync(path.join(directory, 'earlier'))).toEqual(['photo.jpg']);
});
