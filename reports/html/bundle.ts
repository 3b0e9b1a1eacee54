import { fileURLToPath } from 'node:url';

/** The entry module of each page's script. */
const entries = { report: 'main.ts', comparison: 'compared.ts' } as const;

export type Page = keyof typeof entries;

/** The pages that have a script. */
export const pages: readonly Page[] = ['report', 'comparison'];

/**
 * The script of a page: its modules bundled into one that can be put into a script element. It stays readable, as a
 * page is mostly data. The build makes it, so that an installed package bundles nothing.
 * @param sources the folder of the modules
 */
export async function bundle(page: Page, sources: URL): Promise<string> {
  const { build } = await import('vite');
  const made = await build({
    configFile: false,
    envFile: false,
    logLevel: 'error',
    root: fileURLToPath(sources),
    publicDir: false,
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      target: 'esnext',
      rolldownOptions: {
        input: fileURLToPath(new URL(entries[page], sources)),
        output: { format: 'iife', strict: true },
      },
    },
  });
  const files = [made].flat().flatMap((one) => ('output' in one ? one.output : []));
  const [script] = files.flatMap((file) => (file.type === 'chunk' ? [file.code] : []));
  if (script === undefined || files.length !== 1) throw new Error(`the script of ${page} is not one file`);
  // In strings and patterns, the only places where it occurs, the escape is equivalent; unescaped it would end or open
  // an element.
  return script.replaceAll(/<(?=!--|\/?script)/gi, '\\x3c');
}
