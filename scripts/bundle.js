// Joins the modules of the program and of the packages that it uses into a few files, as most of what a command of one
// second did was to find, open and compile a thousand.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** What is started by its address: the command, and what the runner loads into its worker. */
const entries = { main: 'cli/main.js', entry: 'suites/entry.js' };
const ownAddress = 'import.meta.url';
const usedOfUndici = fileURLToPath(new URL('used-of-undici.js', import.meta.url));

/** Writes `bundle/` in the folder of the build, and lets the entry modules load it. */
export async function bundleProgram(dist) {
  const bundle = path.join(dist, 'bundle');
  const packages = new Set();
  await build({
    configFile: false,
    envFile: false,
    logLevel: 'error',
    root: dist,
    publicDir: false,
    ssr: { noExternal: true, external: ['vite'] },
    resolve: { alias: [{ find: /^undici$/, replacement: usedOfUndici }] },
    plugins: [
      { name: 'addresses', transform: (code, file) => withAddress(code, file) },
      { name: 'ascii', generateBundle: (_, files) => Object.values(files).forEach(inAscii) },
    ],
    build: {
      ssr: true,
      outDir: bundle,
      emptyOutDir: true,
      // Stack traces have to be read.
      minify: false,
      target: 'node20',
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, path.join(dist, file)])),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  });
  writeFileSync(path.join(bundle, 'LICENSES.txt'), [...packages].toSorted().map(licenseOf).join('\n\n'));
  for (const [name, file] of Object.entries(entries)) {
    writeFileSync(path.join(dist, file), `#!/usr/bin/env node\nimport '../bundle/${name}.js';\n`);
  }

  /** A module finds the files beside it from where it was. */
  function withAddress(code, file) {
    const inPackage = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
    if (inPackage) packages.add(inPackage);
    if (!code.includes(ownAddress)) return null;
    if (inPackage) throw new Error(`${file} asks for its own address, so it cannot be bundled`);
    const address = `new URL('../${path.relative(dist, file)}', ${ownAddress}).href`;
    return { code: code.replaceAll(ownAddress, address), map: null };
  }
}

/** Where a single character needs two bytes, V8 keeps all of a file's text with two bytes each. */
function inAscii(file) {
  if (file.type !== 'chunk') return;
  if (/\\[^\0-\x7f]/.test(file.code)) throw new Error(`${file.fileName} escapes a character that is not ASCII`);
  file.code = file.code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The name, version and license of a package, as its license demands of copies. */
function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file));
  const texts = files.map((file) => readFileSync(path.join(folder, file), 'utf8').trim());
  return [`${name} ${version}, ${license}`, ...texts].join('\n\n');
}
