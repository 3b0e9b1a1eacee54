import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { allRules } from '../../specs/catalogue.ts';
import { apiVersions, documentedVersions, holdsIn, newestVersion } from '../../specs/versions.ts';
import { workplace } from '../workplace.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const [major = 0, minor = 0] = newestVersion.split('.').map(Number);
const next = `${major}.${minor + 1}`;

test('a version more in the list has the contract of the one before it', async () => {
  const copy = path.join(workplace, 'specs');
  cpSync(path.join(root, 'specs'), copy, { recursive: true });
  const list = path.join(copy, 'versions.ts');
  const text = readFileSync(list, 'utf8');
  const longer = text.replace(`'${newestVersion}',`, `'${newestVersion}', '${next}',`);
  expect(longer).not.toBe(text);
  writeFileSync(list, longer);
  const catalogue: typeof import('../../specs/catalogue.ts') = await import(path.join(copy, 'catalogue.ts'));
  const versions: typeof import('../../specs/versions.ts') = await import(list);
  expect(versions.apiVersions).toEqual([...apiVersions, next]);
  expect(versions.newestVersion).toBe(next);
  expect(versions.newestDocumented).toBe(documentedVersions.at(-1));
  const rulesIn = (api: string) => {
    const version = versions.apiVersions.find((one) => one === api);
    return catalogue.allRules.filter((rule) => version && versions.holdsIn(rule, version)).map(({ id }) => id);
  };
  expect(rulesIn(next)).toEqual(rulesIn(newestVersion));
  // The ones that were there before have what they had.
  for (const api of apiVersions) {
    const before = allRules.filter((rule) => holdsIn(rule, api)).map(({ id }) => id);
    expect(rulesIn(api), api).toEqual(before);
  }
});

// Rows, rules and fields that hold from a version on name it; a version without any of them is one too.
test('the newest version is named in its list and elsewhere in the contract only', () => {
  const folders = ['specs', 'harness', 'suites', 'reports', 'reference', 'proxy', 'cli'];
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)),
  );
  const code = files.filter((name) => /\.(?:ts|js|json)$/.test(name));
  expect(code.length).toBeGreaterThan(300);
  const literal = new RegExp(`['"/v]${newestVersion.replace('.', '\\.')}['"/]`);
  const naming = code.filter((name) => literal.test(readFileSync(path.join(root, name), 'utf8')));
  expect(naming).toContain('specs/versions.ts');
  expect(naming.filter((name) => !name.startsWith('specs/'))).toEqual([]);
});
