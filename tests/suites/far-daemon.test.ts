import { expect, test } from 'vitest';
import { allRules } from '../../specs/catalogue.ts';
import { holdsIn } from '../../specs/versions.ts';
import { around, resultsOf } from '../generated/planted.ts';

const endpoints = ['POST /auth', 'GET /images/search', 'POST /images/create'];
const api = '1.23';

test('a daemon that reaches no registry of the suite, as on another machine, breaks no rule on registries', async () => {
  for (const endpoint of endpoints) {
    around(endpoint, ({ req, res }, answer) => {
      if (req.url?.includes('fromSrc')) return answer();
      res.writeHead(500, { 'content-type': 'application/json' });
      res.end('{"message":"the registry cannot be reached"}\n');
    });
  }
  const about = /^(?:system\.auth|images\.(?:search|create)|images\.build\.pull)/;
  const rules = allRules.filter((rule) => about.test(rule.id) && holdsIn(rule, api)).map(({ id }) => id);
  const results = await resultsOf(rules, api);
  const skipped = [...results].filter(([, { verdict }]) => verdict === 'skip').map(([rule]) => rule);
  expect(skipped).toEqual(expect.arrayContaining(['system.auth.body.password', 'images.search.field.name']));
  const others = [...results].filter(([, { verdict }]) => ['fail', 'blocked', 'error'].includes(verdict));
  expect(others.map(([rule, { verdict, reason }]) => `${rule} ${verdict}: ${reason}`)).toEqual([]);
});
