import { readFile } from 'node:fs/promises';

/** The modules of the page, each after those it imports. */
const modules = [
  'dom',
  'model',
  'filters',
  'overview',
  'exchanges',
  'generated',
  'rules',
  'observations',
  'reasons',
  'main',
];

/** The sheets of the page; what narrow screens and paper change stands last. */
const sheets = ['colours', 'page', 'overview', 'filters', 'rules', 'exchanges', 'observations', 'reasons', 'narrow'];

/** The template of the page, its style, and its modules joined to one script. */
export async function readAssets(): Promise<{ template: string; style: string; script: string }> {
  const [template, styles, sources] = await Promise.all([
    readAsset('page.html'),
    Promise.all(sheets.map((name) => readAsset(`style/${name}.css`))),
    Promise.all(modules.map((name) => readAsset(`client/${name}.js`))),
  ]);
  return { template, style: styles.join('\n'), script: joinModules(sources) };
}

function readAsset(file: string): Promise<string> {
  return readFile(new URL(file, import.meta.url), 'utf8');
}

/**
 * Modules inside a page can't import each other by name, so each becomes a function that gives what it exports.
 * Of the module syntax only `import { … } from './name.js'` and exported declarations are understood.
 */
function joinModules(sources: readonly string[]): string {
  const functions = sources.map((source, place) => {
    const exported = [...source.matchAll(/^export (?:async )?(?:function|const) (\w+)/gm)].map(([, name]) => name);
    const body = source
      .replaceAll(/^import (\{[^}]*\}) from '\.\/(\w+)\.js';$/gm, 'const $1 = modules.$2;')
      .replaceAll(/^export (?=(?:async )?(?:function|const) )/gm, '');
    return `modules.${modules[place]} = (() => {\n${body}\nreturn { ${exported.join(', ')} };\n})();\n`;
  });
  return `\n'use strict';\n(() => {\nconst modules = {};\n${functions.join('\n')}})();\n`;
}
