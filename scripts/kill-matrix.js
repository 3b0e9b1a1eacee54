// Writes docs/kill-matrix.md from the file of `prove --faults --matrix`. Run it after a build.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const { killMatrixPage } = await import(new URL('../dist/reports/kill-matrix/page.js', import.meta.url).href);
const [file] = process.argv.slice(2);
const page = killMatrixPage(JSON.parse(readFileSync(file, 'utf8')));
writeFileSync(fileURLToPath(new URL('../docs/kill-matrix.md', import.meta.url)), page);
