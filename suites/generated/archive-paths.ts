import fc from 'fast-check';
import { check } from '../../harness/check.ts';
import { Container } from '../../harness/engine/container.ts';
import { pathStatOf } from '../../harness/engine/path-stat.ts';
import { readTar } from '../../harness/engine/tar.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { answersStatus } from '../../harness/faults/answers.ts';
import { on } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import { inPathStat } from '../../harness/faults/path-stat.ts';
import { swallows, takesQueryAs } from '../../harness/faults/requests.ts';
import { texts, words } from '../../harness/generators/texts.ts';
import { forAll } from '../../harness/property/for-all.ts';
import { directoryMember, fileMember, putArchive, unpackedIn } from '../containers/support/archives.ts';

/** File names with characters that are special in queries or archives. */
const names = fc
  .tuple(words, fc.constantFrom('', ' ', '+', '%', '&', '#', '?', '=', 'é', '日', "'", '..', '-'), words)
  .map((parts) => parts.join(''));

const values = fc.record({
  directory: names,
  inner: fc.array(names, { maxLength: 1 }),
  file: names,
  content: texts,
  /** Whether paths start with a slash. */
  absolute: fc.boolean(),
  /** What a path of the directory ends with. */
  end: fc.constantFrom('', '/', '/.'),
});

/** What a path without a slash at its beginning is judged by. */
const relativePaths = ['containers.archive-stat.path-relative', 'containers.archive-get.path-relative'] as const;

const gets = 'GET /containers/{id}/archive';

check(
  'generated.inputs.archive-paths',
  {
    faults: [
      on('PUT /containers/{id}/archive', swallows(200)),
      on('HEAD /containers/{id}/archive', inPathStat(setsField('size', 4_711))),
      on(gets, takesQueryAs('path', '/etc/passwd')),
      on(gets, answersStatus(500, 404)),
    ],
  },
  (context) =>
    forAll(context, values, { runs: 3 }, async ({ directory, inner, file, content, absolute, end }, trial) => {
      const { engine } = trial;
      const { id, name } = await trial.use(unpackedIn);
      const container = new Container(engine, id, name);
      const outer = `${engine.unusedName('container')}${directory}`;
      const all = [outer, ...inner];
      const below = [...all, file].join('/');
      const relative = !absolute && relativePaths.every((rule) => trial.holds(rule));
      const written = (path: string) => (relative ? `data/${path}` : `/data/${path}`);
      const members = all.map((_part, depth) => directoryMember(all.slice(0, depth + 1).join('/')));
      trial.step(`unpacks a file at ${below}`);
      const put = await putArchive(engine, container.id, { path: '/data' }, [...members, fileMember(below, content)]);
      await trial.decides('containers.archive-put.answers-200', () => expect(put).toHaveStatus(200));
      const ask = (method: string, path: string) =>
        engine.request(method, container.path('archive'), { query: { path } });
      trial.step(`asks about ${written(below)}`);
      const stat = await ask('HEAD', written(below));
      if (relative) await trial.decides('containers.archive-stat.path-relative', () => expect(stat).toHaveStatus(200));
      await trial.decides('containers.archive-stat.path-stat', () => {
        expect(stat).toHaveStatus(200);
        expectValue('the path stat', typeof pathStatOf(stat), [stat]).toBe('object');
      });
      const decoded = trial.holds('containers.archive-stat.path-stat');
      if (decoded)
        await trial.decides('containers.archive-stat.stat-values', () => {
          const { name, size } = pathStatOf(stat);
          expectValue('name and size of the path stat', { name, size }, [put, stat]).toBe({
            name: file,
            size: Buffer.byteLength(content),
          });
        });
      const got = await ask('GET', written(below));
      if (relative) await trial.decides('containers.archive-get.path-relative', () => expect(got).toHaveStatus(200));
      await trial.decides('containers.archive-get.body-tar', async () => {
        expect(got).toHaveStatus(200);
        const entries = await readTar(got.answer.body);
        const files = entries.map((entry) => [entry.name, entry.content.toString('utf8')]);
        expectValue('the files of the archive', files, [put, got]).toBe([[file, content]]);
      });
      const place = written(outer) + end;
      trial.step(`gets ${place}`);
      const whole = await ask('GET', place);
      await trial.decides(
        end === '/.' ? 'containers.archive-get.directory-contents' : 'containers.archive-get.directory-slash',
        async () => {
          expect(whole).toHaveStatus(200);
          const inside = [...inner, file].join('/');
          const found = (await readTar(whole.answer.body))
            .filter(({ type }) => type === 'file')
            .map(({ name }) => name);
          expectValue('the files of the archive', found, [put, whole]).toBe([
            end === '/.' ? inside : `${outer}/${inside}`,
          ]);
        },
      );
      const missing = await ask('GET', `${written(below)}-not`);
      await trial.decides('containers.archive-get.missing-path-404', () => expect(missing).toHaveStatus(404));
      const asDirectory = await ask('GET', `${written(below)}/`);
      await trial.decides('containers.archive-get.slash-on-file-400', () => expect(asDirectory).toHaveStatus(400));
    }),
);
