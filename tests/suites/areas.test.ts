import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const dist = new URL('../../dist/', import.meta.url);

/**
 * Loads the suites of one area after another in a process that has none yet. Tells of each area to which ones its checks
 * belong, and which of its rules have none.
 */
const script = `
  const [{ loadSuites }, { allChecks }, { allRules }] = await Promise.all(
    ['suites/areas.js', 'harness/check.js', 'specs/catalogue.js'].map((file) => import(${JSON.stringify(dist.href)} + file)),
  );
  const told = {};
  for (const area of new Set(allRules.map((rule) => rule.area))) {
    const before = new Set(allChecks().keys());
    const rules = allRules.filter((rule) => rule.area === area);
    await loadSuites(rules.map(({ id }) => id));
    const added = [...allChecks().values()].filter(({ rule }) => !before.has(rule.id));
    const missing = rules.filter(({ id, unchecked }) => !allChecks().has(id) && unchecked === undefined);
    told[area] = { added: [...new Set(added.map(({ rule }) => rule.area))], missing: missing.map(({ id }) => id) };
  }
  console.log(JSON.stringify(told));
`;

test('the suites of an area declare all checks of its rules, and no others', () => {
  const stdout = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  const told: Record<string, { added: string[]; missing: string[] }> = JSON.parse(stdout);
  const areas = Object.keys(told);
  expect(areas).toContain('containers');
  // Whatever is loaded, the checks for server errors come along, for rules of seven areas.
  const [first = '', ...others] = areas;
  expect(told[first]?.missing).toEqual([]);
  expect(others.map((area) => told[area])).toEqual(others.map((area) => ({ added: [area], missing: [] })));
});
