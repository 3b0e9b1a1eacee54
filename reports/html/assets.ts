import { readFile } from 'node:fs/promises';
import type { Page } from './bundle.ts';

/** The parts of a page other than its script; `<page>.html` has its content. */
const pages = {
  report: {
    title: 'Conformance report',
    // The styles for narrow screens and paper come last.
    sheets: [
      ...['colours', 'base', 'page', 'overview', 'filters', 'rules', 'exchanges', 'observations', 'reasons', 'latency'],
      ...['causes', 'endpoints', 'keys', 'narrow'],
    ],
  },
  comparison: {
    title: 'Conformance comparison',
    sheets: [
      ...['colours', 'base', 'page', 'overview', 'filters', 'rules', 'exchanges', 'observations', 'reasons'],
      ...['comparison', 'narrow', 'comparison-narrow'],
    ],
  },
} as const satisfies Record<Page, unknown>;

/** The template of a page, its style, and its script. */
export async function readAssets(page: Page): Promise<{ template: string; style: string; script: string }> {
  const { title, sheets } = pages[page];
  const [shell, content, styles, script] = await Promise.all([
    readAsset('shell.html'),
    readAsset(`${page}.html`),
    Promise.all(sheets.map((name) => readAsset(`style/${name}.css`))),
    readScript(page),
  ]);
  const template = shell.replace('<!-- title -->', title).replace('<!-- content -->', () => content);
  return { template, style: styles.join('\n'), script };
}

const made = new Map<Page, Promise<string>>();

/** The script as bundled by the build; without a build it is bundled from the sources, once. */
async function readScript(page: Page): Promise<string> {
  if (!import.meta.url.endsWith('.ts')) return readAsset(`client/${page}.js`);
  const { bundle } = await import('./bundle.ts');
  const script = made.get(page) ?? bundle(page, new URL('client/', import.meta.url));
  made.set(page, script);
  return script;
}

function readAsset(file: string): Promise<string> {
  return readFile(new URL(file, import.meta.url), 'utf8');
}
