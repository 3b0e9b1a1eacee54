// Puts what the baselines say of the engines side by side into docs/engines.md, between its marks: by area, what engines
// share, and what changed from one release to the next.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const source = fileURLToPath(new URL('../tests/docs/engines-matrix.ts', import.meta.url));
const { module } = await runnerImport(source, { configFile: false, logLevel: 'silent' });
const at = fileURLToPath(new URL('../docs/engines.md', import.meta.url));
writeFileSync(at, module.pageWithMatrix(readFileSync(at, 'utf8')));
