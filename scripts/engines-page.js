// Puts the tables of a comparison into docs/engines.md, between its two marks. The rest of the page is written by hand.
// Takes the comparison.md of `compare --out DIR`.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [file] = process.argv.slice(2);
const comparison = readFileSync(file, 'utf8');
const tables = [/^\| report \|.*\n(?:\|.*\n)+/m, /^\| area \|.*\n(?:\|.*\n)+/m].map(
  (table) => table.exec(comparison)?.[0],
);
if (tables.includes(undefined)) throw new Error(`${file} is not the comparison.md of this version`);

const at = fileURLToPath(new URL('../docs/engines.md', import.meta.url));
const [before, , after] = readFileSync(at, 'utf8').split(/^(<!-- tables -->\n[\s\S]*<!-- end of tables -->\n)/m);
writeFileSync(at, `${before}<!-- tables -->\n\n${tables.join('\n')}\n<!-- end of tables -->\n${after}`);
