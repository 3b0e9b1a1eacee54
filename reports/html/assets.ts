import { readFile } from 'node:fs/promises';

/** What a page is made of: its modules, each after those it imports, and its sheets. */
const pages = {
  report: {
    template: 'page.html',
    modules: [
      'visible',
      'dom',
      'kinds',
      'model',
      'filters',
      'overview',
      'json',
      'exchanges',
      'generated',
      'issue-text',
      'issue',
      'rules',
      'causes',
      'endpoints',
      'traffic',
      'observations',
      'reasons',
      'latency',
      'main',
    ],
    // What narrow screens and paper change stands last.
    sheets: [
      ...['colours', 'base', 'page', 'overview', 'filters', 'rules', 'exchanges', 'observations', 'reasons', 'latency'],
      ...['causes', 'endpoints', 'narrow'],
    ],
  },
  comparison: {
    template: 'comparison.html',
    modules: ['visible', 'dom', 'kinds', 'comparison', 'matrix', 'splits', 'engines', 'changes', 'compared'],
    sheets: [
      ...['colours', 'base', 'page', 'overview', 'filters', 'rules', 'exchanges', 'observations', 'reasons'],
      ...['comparison', 'narrow', 'comparison-narrow'],
    ],
  },
} as const;

/** The template of a page, its style, and its modules joined to one script. */
export async function readAssets(
  page: keyof typeof pages,
): Promise<{ template: string; style: string; script: string }> {
  const { template: file, modules, sheets } = pages[page];
  const [template, styles, sources] = await Promise.all([
    readAsset(file),
    Promise.all(sheets.map((name) => readAsset(`style/${name}.css`))),
    Promise.all(modules.map((name) => readAsset(`client/${name}.js`))),
  ]);
  return { template, style: styles.join('\n'), script: joinModules(modules, sources) };
}

function readAsset(file: string): Promise<string> {
  return readFile(new URL(file, import.meta.url), 'utf8');
}

/**
 * Modules inside a page can't import each other by name, so each becomes a function that gives what it exports.
 * Of the module syntax only `import { … } from './name.js'` and exported declarations are understood.
 */
function joinModules(modules: readonly string[], sources: readonly string[]): string {
  const functions = sources.map((source, place) => {
    const exported = [...source.matchAll(/^export (?:async )?(?:function|const) (\w+)/gm)].map(([, name]) => name);
    const body = source
      .replaceAll(/^import (\{[^}]*\}) from '\.\/([\w-]+)\.js';$/gm, "const $1 = modules['$2'];")
      .replaceAll(/^export (?=(?:async )?(?:function|const) )/gm, '');
    return `modules[${JSON.stringify(modules[place])}] = (() => {\n${body}\nreturn { ${exported.join(', ')} };\n})();\n`;
  });
  return `\n'use strict';\n(() => {\nconst modules = {};\n${functions.join('\n')}})();\n`;
}
