import { expect, test } from 'vitest';
import { knowledgeOf } from '../../cli/explain/knowledge.ts';
import { allRules, rulebook } from '../../specs/catalogue.ts';

test('a report tells of a rule why it is often not kept, on which engines, and which clients rely on it', () => {
  const { often, seen, clients, trips } = knowledgeOf(rulebook['containers.list.since']);
  expect(often).toContain('the parameter is never read, so its default applies');
  expect(seen.filter((line) => line.startsWith('dockerd-20.10 '))).toHaveLength(1);
  expect(seen.join('\n')).toContain('lists containers as if the parameter had not been sent');
  expect(clients.join('\n')).toContain('docker ');
  expect(trips).toEqual(['not measured']);
});

test('a report tells what commands of clients do where a rule is not kept', () => {
  const lines = allRules.flatMap((rule) => knowledgeOf(rule).trips.filter((line) => line !== 'not measured'));
  expect(lines.length).toBeGreaterThan(10);
  for (const line of lines) {
    expect(line).toMatch(/^docker .+ (?:fails|prints something else|works all the same), on a daemon that .+ \(.+\)$/);
  }
});
