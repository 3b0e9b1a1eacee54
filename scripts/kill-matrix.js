// Writes docs/kill-matrix.md from the file of `prove --faults --matrix`; with --check, only says whether the page is in step with
// it, but for what hangs on time. Run it after a build.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const { killMatrixPage, loose } = await import(new URL('../dist/cli/kill-matrix-page.js', import.meta.url).href);
const [file, mode] = process.argv.slice(2);
const page = killMatrixPage(JSON.parse(readFileSync(file, 'utf8')));
const at = fileURLToPath(new URL('../docs/kill-matrix.md', import.meta.url));

if (mode !== '--check') writeFileSync(at, page);
else {
  const firm = (text) => text.slice(0, text.indexOf(loose));
  if (firm(readFileSync(at, 'utf8')) !== firm(page)) {
    console.error(
      `docs/kill-matrix.md is not in step: npm run prove -- --faults --matrix ${file} && node scripts/kill-matrix.js ${file}`,
    );
    process.exitCode = 1;
  }
}
