import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Journal, journalDirectory, readJournals } from '../../harness/sandbox/journal.ts';
import { lifeOf, thisProcess } from '../../harness/sandbox/process-identity.ts';
import { makeRunDirectory, removeRunDirectory, spillFileIn } from '../../harness/sandbox/run-directory.ts';
import { newRunId, Sandbox } from '../../harness/sandbox/sandbox.ts';
import { workplace } from '../workplace.ts';

let count = 0;

function newDirectory(): string {
  count++;
  return path.join(workplace, `journals-${count}`);
}

function begun(directory: string): Journal {
  const journal = new Journal(directory, newRunId());
  journal.begin({ address: 'unix:///run/engine.sock', directory: '/tmp/engine-conformance-abcdef' });
  return journal;
}

describe('a journal', () => {
  test('names a thing before it is made, for any process to read', () => {
    const directory = newDirectory();
    const journal = begun(directory);
    const sandbox = new Sandbox(journal);
    const names = [sandbox.name('container'), sandbox.name('volume')];
    expect(new Set(names).size).toBe(2);
    sandbox.note('image', sandbox.image);
    sandbox.noteNew('volume', 'named by the daemon');
    const [record] = readJournals(directory);
    expect(record).toMatchObject({
      run: journal.run,
      address: 'unix:///run/engine.sock',
      directory: '/tmp/engine-conformance-abcdef',
      process: { host: hostname(), pid: process.pid },
    });
    expect(record?.entries).toEqual([
      { kind: 'container', name: names[0] },
      { kind: 'volume', name: names[1] },
      { kind: 'image', name: `ec-${journal.run}-probe:latest` },
      { kind: 'volume', name: 'named by the daemon', isNew: true },
    ]);
    expect(journal.entries()).toEqual(record?.entries);
  });

  test('is written on by several threads', () => {
    const directory = newDirectory();
    const journal = begun(directory);
    new Journal(directory, journal.run).write({ kind: 'network', name: 'of another thread' });
    expect(journal.entries()).toEqual([{ kind: 'network', name: 'of another thread' }]);
  });

  test('tells what is gone, until it is made again', () => {
    const journal = begun(newDirectory());
    const [one, other] = [
      { kind: 'volume', name: 'one' },
      { kind: 'network', name: 'one' },
    ] as const;
    for (const entry of [one, other]) journal.write(entry);
    journal.gone([one]);
    journal.gone([]);
    expect(journal.entries()).toEqual([{ ...one, gone: true }, other]);
    journal.write(one);
    expect(journal.entries()).toEqual([one, other]);
  });

  test('that a crash cut off is read up to there', () => {
    const directory = newDirectory();
    const journal = begun(directory);
    journal.write({ kind: 'container', name: 'whole' });
    const [file = ''] = readdirSync(directory);
    appendFileSync(path.join(directory, file), '{"kind":"container","na');
    expect(journal.entries()).toEqual([{ kind: 'container', name: 'whole' }]);
  });

  test.each([
    ['of no object', '7'],
    ['without an end', '{"run":"abcdefgh'],
    ['with an odd run', '{"run":"","address":"a","directory":"d","process":{"host":"h","pid":1,"started":""}}'],
    ['without a process', '{"run":"abcdefgh","address":"a","directory":"d"}'],
    ['of nothing', ''],
  ])('with a first line %s is none', (_what, line) => {
    const directory = newDirectory();
    mkdirSync(directory);
    writeFileSync(path.join(directory, 'abcdefgh.ndjson'), `${line}\n`);
    writeFileSync(path.join(directory, 'notes.txt'), 'no journal');
    expect(readJournals(directory)).toEqual([]);
  });

  test('is gone with its file', () => {
    const directory = newDirectory();
    const journal = begun(directory);
    journal.remove();
    journal.remove();
    expect(readdirSync(directory)).toEqual([]);
    expect(journal.entries()).toEqual([]);
  });

  test('stands in the state directory of the user', () => {
    expect(journalDirectory({ XDG_STATE_HOME: '/state' })).toBe('/state/engine-conformance/journals');
    expect(journalDirectory({})).toMatch(/\.local\/state\/engine-conformance\/journals$/);
    expect(readJournals(newDirectory())).toEqual([]);
  });
});

describe('the process of a run', () => {
  test('is alive while it goes on, and ended after', async () => {
    expect(lifeOf(thisProcess())).toBe('alive');
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)']);
    const identity = { host: hostname(), pid: child.pid ?? 0, started: '' };
    expect(lifeOf(identity)).toBe('alive');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(lifeOf(identity)).toBe('ended');
  });

  test.runIf(existsSync('/proc/self/stat'))('is ended when another has its number now', () => {
    expect(lifeOf({ ...thisProcess(), started: 'another boot 1' })).toBe('ended');
  });

  test('on another machine is unknown', () => {
    expect(lifeOf({ ...thisProcess(), host: 'elsewhere.example' })).toBe('unknown');
  });
});

describe('the directory of a run', () => {
  test('is removed with what the run wrote there', () => {
    const directory = makeRunDirectory();
    writeFileSync(spillFileIn(directory), '{}\n');
    expect(removeRunDirectory(directory)).toBe(true);
    expect(existsSync(directory)).toBe(false);
    expect(removeRunDirectory(directory)).toBe(false);
  });

  test('is kept when something else is in it, has another name, or is a link', () => {
    const directory = makeRunDirectory();
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const other = path.join(directory, 'other');
    writeFileSync(other, '');
    expect(removeRunDirectory(directory)).toBe(false);
    expect(existsSync(other)).toBe(true);

    const elsewhere = path.join(workplace, 'precious');
    mkdirSync(elsewhere);
    writeFileSync(spillFileIn(elsewhere), '');
    expect(removeRunDirectory(elsewhere)).toBe(false);
    const link = path.join(workplace, 'engine-conformance-abcdef');
    symlinkSync(elsewhere, link);
    expect(removeRunDirectory(link)).toBe(false);
    expect(removeRunDirectory('engine-conformance-abcdef')).toBe(false);
    expect(existsSync(spillFileIn(elsewhere))).toBe(true);
  });
});
