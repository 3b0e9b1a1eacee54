import fc from 'fast-check';
import { check } from '../../harness/check.ts';
import { Container } from '../../harness/engine/container.ts';
import { given } from '../../harness/engine/given.ts';
import { pathStatOf } from '../../harness/engine/path-stat.ts';
import { tarBytes } from '../../harness/engine/tar-bytes.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { on } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { inPathStat } from '../../harness/faults/path-stat.ts';
import { fileNames } from '../../harness/generators/archives.ts';
import { forAll } from '../../harness/property/for-all.ts';
import type { Trial } from '../../harness/property/trial.ts';
import { unpackedIn } from '../containers/support/archives.ts';
import { shown } from './streams-archives.ts';

const gets = 'GET /containers/{id}/archive';
const heads = 'HEAD /containers/{id}/archive';

interface Unpacked {
  readonly container: Container;
  readonly directory: string;
}

/** Files of a given size in a directory of their own, in a container that was not started. */
async function withFiles(trial: Trial, names: readonly string[], size: number): Promise<Unpacked> {
  const { engine } = trial;
  const { id, name: named } = await trial.use(unpackedIn);
  const container = new Container(engine, id, named);
  const directory = engine.unusedName('container');
  trial.step(`unpacks ${names.map((name) => shown(name)).join(', ')}, ${size} bytes each, in a new directory`);
  const content = Buffer.alloc(size, 'x');
  const files = names.map(
    (name) => ({ name: `${directory}/${name}`, type: 'file', mode: 0o644, time: 0, long: 'pax', content }) as const,
  );
  const headers = { 'content-type': 'application/x-tar' };
  const members = [{ name: directory, type: 'directory', mode: 0o755, time: 0, long: 'pax' } as const, ...files];
  const sent = { query: { path: '/data' }, headers, body: tarBytes(members) };
  await given(engine.request('PUT', container.path('archive'), sent), 200);
  return { container, directory: `/data/${directory}` };
}

/** Names that are shell patterns and do not match themselves. */
function patterns(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom('[', '\\'), fileNames(), fc.nat({ max: 3 }))
    .map(([sign, name, at]) => [...name].toSpliced(at, 0, sign).slice(0, 40).join(''));
}

check(
  'generated.streams.odd-paths',
  { faults: [on(gets, answersStatus(404, 200)), on(heads, answersStatus(404, 200))] },
  (context) =>
    forAll(context, patterns(), { runs: 1 }, async (name, trial) => {
      const { engine } = trial;
      const { container, directory } = await withFiles(trial, [name], 7);
      const query = { path: `${directory}/${name}` };
      trial.step('asks for its stat');
      const stat = await engine.request('HEAD', container.path('archive'), { query });
      await trial.decides('containers.archive-stat.answers-200', () => expect(stat).toHaveStatus(200));
      trial.step('gets it back');
      const got = await engine.get(container.path('archive'), query);
      await trial.decides('containers.archive-get.answers-200', () => expect(got).toHaveStatus(200));
    }),
);

/**
 * Letters in front of a name, so that it starts at each offset of a group of three bytes, which base64 writes as four
 * letters.
 */
const shifts = ['', 'x', 'xx'] as const;

/** Names of multi-byte characters, one of which has the bits for which base64 uses its last letters. */
const wideNames = fc
  .string({ unit: fc.constantFrom('ä', '日', '😀', '\u{ff5e}', '\u{10fff0}'), maxLength: 8 })
  .map((name) => `\u{ffee}\u{ffee}${name}`);

check(
  'generated.streams.path-stats',
  { faults: [on(heads, inPathStat(setsField('size', 4_242_424))), on(heads, inPathStat(setsField('name', 'other')))] },
  (context) =>
    forAll(
      context,
      fc.record({ name: wideNames, size: fc.integer({ min: 0, max: 20_000 }) }),
      { runs: 1 },
      async ({ name, size }, trial) => {
        const { engine } = trial;
        const names = shifts.map((shift) => shift + name);
        const { container, directory } = await withFiles(trial, names, size);
        trial.step('asks for the stat of each');
        for (const one of names) {
          const query = { path: `${directory}/${one}` };
          const stat = await given(engine.request('HEAD', container.path('archive'), { query }), 200);
          await trial.decides('containers.archive-stat.path-stat', () => {
            expectValue('the path stat', typeof pathStatOf(stat), [stat]).toBe('object');
          });
          if (!trial.holds('containers.archive-stat.path-stat')) continue;
          await trial.decides('containers.archive-stat.stat-values', () => {
            const { name: told, size: bytes } = pathStatOf(stat);
            expectValue('name and size of the path stat', { name: told, size: bytes }, [stat]).toBe({
              name: one,
              size,
            });
          });
        }
      },
    ),
);
