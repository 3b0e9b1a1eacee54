// Where the rule, the check and the reference engine's code of each rule stand in the repository, as `explain` shows it. The
// build calls it for dist/cli/explain/places.json, as the package has no sources.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const lines = new Map();
const byName = new Map();
/** What makes rules whose names no file of their endpoint has. */
const derivedBy = [
  [/-spellings$/, /\bflagRules\(/],
  [/^stream\.(?:frame|payload)/, /\bframingRules\(/],
  [/^stream\./, /\bupgradeRules\(/],
];

/** @returns {Promise<object>} by rule id `file:line` of the rule and of its check, and by endpoint that of the reference engine */
export async function placesOf() {
  const { allRules, allEndpoints } = await import('../dist/specs/catalogue.js');
  const { endpointTitle } = await import('../dist/specs/endpoint.js');
  const files = await filesOfChecks();
  return {
    rules: Object.fromEntries(allRules.map((rule) => [rule.id, placeOfRule(rule)])),
    checks: Object.fromEntries([...files].map(([id, file]) => [id, `${file}:${lineOfCheck(id, file)}`])),
    reference: Object.fromEntries(
      allEndpoints.flatMap((endpoint) => {
        const place = placeInReference(endpoint);
        return place === undefined ? [] : [[endpointTitle(endpoint), place]];
      }),
    ),
  };
}

/** By rule id, the file that declares its check: what each module of the suites adds, once those that it imports are there. */
async function filesOfChecks() {
  const { allChecks } = await import('../dist/harness/check.js');
  const found = new Map();
  const visited = new Set();
  const visit = async (file) => {
    if (visited.has(file)) return;
    visited.add(file);
    for (const [, specifier] of linesOf(file)
      .join('\n')
      .matchAll(/(?:from|import) '(\.[^']+)'/g)) {
      const imported = path.posix.join(path.posix.dirname(file), specifier);
      if (imported.startsWith('suites/')) await visit(imported);
    }
    await import(`../dist/${file.replace(/\.ts$/, '.js')}`);
    for (const id of allChecks().keys()) if (!found.has(id)) found.set(id, file);
  };
  await visit('suites/index.ts');
  return found;
}

/** The line of the id; for a check that is declared for many rules, the line of the part of the ids that they share. */
function lineOfCheck(id, file) {
  const texts = linesOf(file);
  const literal = texts.findIndex((line) => line.includes(`'${id}'`) || line.includes(`\`${id}\``));
  if (literal >= 0) return literal + 1;
  const code = texts.map((line) => (/^import |^\} from |^\s*(?:\/\*\*|\*|\/\/)/.test(line) ? '' : line));
  return (longest(code, (text) => lengthIn(text, id)) ?? longest(code, (text) => lengthBefore(text, id)) ?? 0) + 1;
}

/** The place of the line with the text or template that tells most; undefined where none tells anything. */
function longest(code, tells) {
  const lengths = code.map((line) =>
    Math.max(0, ...[...line.matchAll(/(['`])((?:(?!\1).)+)\1/g)].map(([, , text]) => tells(text))),
  );
  const most = Math.max(...lengths);
  return most > 0 ? lengths.indexOf(most) : undefined;
}

/** How much of an id a text or template is, if it is a part of it. */
function lengthIn(text, id) {
  const parts = text.split(/\$\{[^}]*\}/);
  const pattern = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+');
  const end = text.endsWith('.') ? '' : '(?:$|[.-])';
  return new RegExp(`\\b${pattern}${end}`).test(id) ? parts.join('').length : 0;
}

/** How long the endpoint is that a text has in common with an id. */
function lengthBefore(text, id) {
  const [area, endpoint] = id.split('.');
  return text.startsWith(`${area}.${endpoint}.`) ? area.length + endpoint.length : 0;
}

/** The line of the rule among those of its endpoint or topic; of a rule that a schema gives, where the schema is named. */
function placeOfRule({ id, field }) {
  if (field) return placeOfFields(id.slice(0, id.length - field.path.length - 1));
  const names = id.split('.');
  // The longest beginning of the id that some file names is that of its group.
  for (let count = names.length - 1; count > 0; count--) {
    const name = names.slice(count).join('.');
    const places = (named().get(names.slice(0, count).join('.')) ?? []).map(({ file, line }) => {
      const key = linesOf(file).findIndex((text, at) => at >= line && isKey(text, name));
      return { file, line, key };
    });
    const found = places.find(({ key }) => key >= 0);
    if (found) return `${found.file}:${found.key + 1}`;
    if (places[0]) return placeOfDerived(places[0], name);
  }
  throw new Error(`no file of specs/ names a group of rules that ${id} belongs to`);
}

/** Where rules that several endpoints have alike are written or taken up; else the line of their group. */
function placeOfDerived({ file, line }, name) {
  const keys = sourcesOf('specs').flatMap((one) =>
    linesOf(one).flatMap((text, at) => (isKey(text, name) ? [`${one}:${at + 1}`] : [])),
  );
  if (keys.length === 1) return keys[0];
  const [, call] = derivedBy.find(([names]) => names.test(name)) ?? [];
  const at = call ? linesOf(file).findIndex((text) => call.test(text) && !text.startsWith('import')) : -1;
  return `${file}:${(at >= 0 ? at : line) + 1}`;
}

/** @param group `containers.inspect.field` or `containers.create.body` */
function placeOfFields(group) {
  const prefix = group.slice(0, group.lastIndexOf('.'));
  const call = group.endsWith('.body') ? 'bodyRules(' : 'fieldRules(';
  const found = named()
    .get(prefix)
    ?.find(({ file, line }) =>
      linesOf(file)
        .slice(Math.max(0, line - 1), line + 1)
        .join()
        .includes(call),
    );
  if (!found) throw new Error(`no file of specs/ calls ${call}'${prefix}', …)`);
  return `${found.file}:${found.line + 1}`;
}

/** The lines of specs/ that have a name in quotes, by that name. */
function named() {
  if (byName.size > 0) return byName;
  for (const file of sourcesOf('specs').filter((one) => !/\/(?:document-rows|later|export)\//.test(one))) {
    linesOf(file).forEach((text, line) => {
      for (const [, name] of text.matchAll(/'([\w.-]+)'/g))
        byName.set(name, [...(byName.get(name) ?? []), { file, line }]);
    });
  }
  return byName;
}

function isKey(line, name) {
  const text = line.trimStart();
  return text.startsWith(`'${name}':`) || text.startsWith(`${name}:`);
}

/** The function that answers an endpoint. */
function placeInReference({ server, method, path: template }) {
  if (server === 'authorization') return declarationOf('startReferenceTokenServer');
  const routes = linesOf('reference/endpoints.ts')
    .map((line) => /^ {2}\['(\w+)', '([^']+)', (.+)\],$/.exec(line))
    .filter((found) => found !== null);
  const asked = template.replace(/\{[^}]*\}/g, '{}');
  for (const [, by, route, handler] of routes) {
    if (by !== method) continue;
    if (route.replace(/\{[^}]*\}/g, '{}') === asked) return declarationOf(lastName(handler));
    const actions = /^imageEndpoint\(\{(.+)\}\)$/.exec(handler)?.[1];
    const action = /^\/images\/\{\}\/(\w+)$/.exec(asked)?.[1];
    const name = actions && action && new RegExp(`\\b${action}: (\\w+)`).exec(actions)?.[1];
    if (name) return declarationOf(name);
  }
  throw new Error(`reference/endpoints.ts has no route for ${method} ${template}`);
}

/** `since21(volumes.createVolume)` is about `createVolume`. */
function lastName(handler) {
  return /(\w+)\)?$/.exec(handler)?.[1] ?? handler;
}

function declarationOf(name) {
  for (const file of sourcesOf('reference')) {
    const at = linesOf(file).findIndex((line) =>
      new RegExp(`^export (?:async )?(?:function|const) ${name}\\b`).test(line),
    );
    if (at >= 0) return `${file}:${at + 1}`;
  }
  throw new Error(`no file of reference/ exports ${name}`);
}

function sourcesOf(folder) {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.posix.join(folder, file.split(path.sep).join('/')))
    .toSorted();
}

function linesOf(file) {
  const known = lines.get(file) ?? readFileSync(path.join(root, file), 'utf8').split('\n');
  lines.set(file, known);
  return known;
}
