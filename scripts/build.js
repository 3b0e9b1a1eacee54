// Compiles the program into dist and puts beside it the files that the code reads at run time.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = path.join(root, 'dist');
const dataOf = ['baselines', 'cli', 'harness/probe/bin', 'reports', 'specs'];
// The code of the pages, which they have in one script.
const client = path.join(root, 'reports/html/client');
const command = path.join(dist, 'cli/main.js');

rmSync(dist, { recursive: true, force: true });
try {
  const compiler = fileURLToPath(import.meta.resolve('typescript/package.json'));
  execFileSync(process.execPath, [path.join(path.dirname(compiler), 'bin/tsc'), '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
} catch {
  process.exit(1); // The compiler has said what is wrong.
}
for (const folder of dataOf) {
  const source = path.join(root, folder);
  if (!existsSync(source)) continue;
  cpSync(source, path.join(dist, folder), {
    recursive: true,
    filter: (file) => !file.startsWith(client) && !file.endsWith('.ts'),
  });
}
const { bundle, pages } = await import('../dist/reports/html/bundle.js');
mkdirSync(path.join(dist, 'reports/html/client'));
for (const page of pages) {
  const script = await bundle(page, pathToFileURL(`${client}/`));
  writeFileSync(path.join(dist, `reports/html/client/${page}.js`), script);
}
const { bundleProgram } = await import('./bundle.js');
await bundleProgram(dist);
const { placesOf } = await import('./places.js');
writeFileSync(path.join(dist, 'cli/explain/places.json'), JSON.stringify(await placesOf()));
const { seenInBaselines } = await import('../dist/cli/explain/seen.js');
writeFileSync(path.join(dist, 'cli/explain/seen.json'), JSON.stringify(seenInBaselines()));
chmodSync(command, 0o755);
// The pages of the contract, which the package has for people to read.
execFileSync(process.execPath, [command, 'contract', '--format', 'html', '--out', path.join(dist, 'contract')]);
