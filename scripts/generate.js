// Writes what is kept in the repository and made from the code: docs/rules.md, docs/latitudes.md, the ids of rules that are
// not recorded yet, and the options of new reporters in the schema of the settings. Run it after a build.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const { allRules } = await import(new URL('../dist/specs/catalogue.js', import.meta.url).href);
const { rulesPage } = await import(new URL('../dist/specs/export/markdown.js', import.meta.url).href);
const { latitudesPage } = await import(new URL('../dist/cli/latitudes-page.js', import.meta.url).href);
const at = (file) => fileURLToPath(new URL(`../${file}`, import.meta.url));

writeFileSync(at('docs/rules.md'), rulesPage());
writeFileSync(at('docs/latitudes.md'), latitudesPage());

// Ids are only ever added: the file would otherwise not notice one that is gone.
const record = at('tests/specs/rule-ids.txt');
const recorded = readFileSync(record, 'utf8').split('\n').filter(Boolean);
const ids = new Set([...recorded, ...allRules.map(({ id }) => id)]);
writeFileSync(record, `${[...ids].sort().join('\n')}\n`);

const { reportersOf } = await import(new URL('../dist/cli/reporters.js', import.meta.url).href);
const schemaFile = at('cli/config.schema.json');
const schema = readFileSync(schemaFile, 'utf8');
const lines = reportersOf('run').flatMap(({ option, says }) => {
  const key = option.slice(2, option.indexOf(' '));
  if (JSON.parse(schema).properties[key]) return [];
  const description = `${says[0].toUpperCase()}${says.slice(1)}.`;
  return [`    ${JSON.stringify(key)}: { "description": ${JSON.stringify(description)}, "$ref": "#/$defs/text" },\n`];
});
writeFileSync(
  schemaFile,
  schema.replace(/^ {4}"report": .*\n/m, (report) => report + lines.join('')),
);
