import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { bundle } from '../../reports/html/bundle.ts';
import { workplace } from '../workplace.ts';

test('the modules of a page become one script, which nothing in it ends', async () => {
  const said = ['</script>', '</SCRIPT >', '<!-- <script>', '<b>'];
  await writeFile(join(workplace, 'texts.ts'), `export const texts: string[] = ${JSON.stringify(said)};`);
  await writeFile(
    join(workplace, 'main.ts'),
    "import { texts } from './texts.ts';\nReflect.set(globalThis, 'said', [...texts, /<\\/script>/.exec('</script>')?.[0]]);",
  );
  const script = await bundle('report', pathToFileURL(`${workplace}/`));
  expect(script).not.toMatch(/<(?:!--|\/?script)/i);
  const page: { said?: unknown } = {};
  runInNewContext(script, page);
  expect(page.said).toEqual([...said, '</script>']);
});
