import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allEndpoints, allRules, isFieldRule, rulebook } from '../../specs/catalogue.ts';
import { type Endpoint, endpointTitle } from '../../specs/endpoint.ts';
import { headings } from '../../specs/headings.ts';
import { interpretations } from '../../specs/interpretations.ts';
import type { Rule } from '../../specs/rule.ts';
import { apiVersions, holdsIn, overlap } from '../../specs/versions.ts';

const specs = new URL('../../specs/', import.meta.url).pathname;

describe('the catalogue', () => {
  test('has every endpoint of the documents, and the token endpoint', () => {
    expect(allEndpoints).toHaveLength(58);
    expect(new Set(allEndpoints.map(endpointTitle)).size).toBe(58);
    expect(new Set(allEndpoints.map(({ id }) => id)).size).toBe(58);
  });

  test('has every rule that a file declares, and no two under one id', async () => {
    const declared = new Map<string, Rule>();
    for (const rule of await declaredRules()) {
      const before = declared.get(rule.id);
      expect(before === undefined || before === rule, `${rule.id} is declared twice`).toBe(true);
      declared.set(rule.id, rule);
    }
    expect([...declared.keys()].sort()).toEqual(Object.keys(rulebook).sort());
  });

  test('names rules by well-formed ids', () => {
    for (const [id, rule] of Object.entries(rulebook)) {
      expect(rule.id).toBe(id);
      expect(id).toMatch(/^[a-z]+(\.[A-Za-z0-9_-]+(\[\]|\{\})*)+$/);
      expect(rule.area).toBe(id.split('.')[0]);
    }
  });

  test('cites a heading of the documents for every rule and endpoint', () => {
    for (const { id, source } of [...allRules, ...allEndpoints]) {
      const [document, section] = source;
      expect(headings[document] as readonly string[], id).toContain(section);
    }
  });

  test('has a sentence of its own for every rule of an endpoint', () => {
    for (const endpoint of allEndpoints) {
      const sentences = rulesOf(endpoint).map(({ says, since, until }) => `${says} (${since ?? ''} to ${until ?? ''})`);
      expect(repeated(sentences), endpoint.id).toEqual([]);
    }
    for (const { id, says } of allRules) {
      expect(says, id).toMatch(/\S$/);
      expect(says, id).not.toMatch(/[.,:;]$/);
    }
  });

  test('judges nothing that it only observes', () => {
    for (const rule of allRules) {
      if (rule.kind === 'observe') expect(rule.level, rule.id).toBe('observe');
      else if (!isFieldRule(rule)) expect(rule.level, rule.id).not.toBe('observe');
      if (rule.unchecked !== undefined) expect(rule.unchecked, rule.id).not.toBe('');
    }
  });

  test('has every rule in at least one version, and in none that its endpoint is not in', () => {
    for (const rule of allRules) {
      const versions = apiVersions.filter((api) => holdsIn(rule, api));
      expect(versions, rule.id).not.toEqual([]);
      expect(overlap(rule, rule.endpoint ?? {}), rule.id).toEqual(overlap(rule));
    }
  });

  test('cites every interpretation', () => {
    const cited = new Set<string>(allRules.flatMap((rule) => rule.interpretations));
    expect(Object.keys(interpretations).filter((id) => !cited.has(id))).toEqual([]);
  });
});

describe.each(allEndpoints.map((endpoint) => [endpointTitle(endpoint), endpoint] as const))(
  '%s',
  (_title, endpoint) => {
    test('has a rule for each parameter', () => {
      const names = rulesOf(endpoint).map(({ id }) => wordsOf(id.slice(endpoint.id.length)));
      for (const [parameter, { since, in: place }] of Object.entries(endpoint.parameters)) {
        const about = names.filter((words) => words.includes(parameter.toLowerCase()));
        expect(about.length, `${place} parameter ${parameter} ${since ?? ''}`).toBeGreaterThan(0);
      }
    });

    test('has a rule for each status', () => {
      for (const status of Object.keys(endpoint.answers)) {
        const about = rulesOf(endpoint).filter((rule) => isAboutStatus(rule, status));
        expect(about.length, `status ${status}`).toBeGreaterThan(0);
      }
    });

    test('has parameters in its path as it declares them', () => {
      const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = Object.entries(endpoint.parameters).filter(([, parameter]) => parameter.in === 'path');
      expect(declared.map(([name]) => name)).toEqual(inPath);
    });
  },
);

function rulesOf(endpoint: Endpoint): Rule[] {
  return allRules.filter((rule) => rule.endpoint === endpoint);
}

/** `.filters.status-dead` has the words filters, status and dead, and also status-dead. */
function wordsOf(name: string): string[] {
  const parts = name.toLowerCase().split('.');
  return parts.flatMap((part) => {
    const words = part.split('-');
    return words.flatMap((_, from) =>
      words.slice(from).map((_, length) => words.slice(from, from + length + 1).join('-')),
    );
  });
}

/** A rule names the status, or is one of those that any refusal satisfies. */
function isAboutStatus(rule: Rule, status: string): boolean {
  const anyRefusal = rule.interpretations.some((id) => id === 'bad-parameter' || id === 'listed-codes');
  const besides = Object.values(rule.later?.statuses ?? {}).flat();
  return (
    rule.says.includes(status) ||
    rule.id.endsWith(status) ||
    besides.includes(Number(status)) ||
    (status === '400' && anyRefusal)
  );
}

function repeated(texts: readonly string[]): string[] {
  return texts.filter((text, place) => texts.indexOf(text) !== place);
}

/** The rules in everything that the files of the contract export. */
async function declaredRules(): Promise<Rule[]> {
  const files = (await readdir(specs, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const modules = await Promise.all(files.map((name) => import(join(specs, name)) as Promise<Record<string, unknown>>));
  return modules
    .flatMap((module) => Object.values(module))
    .flatMap((exported) => Object.values(exported ?? {}).filter(isRule));
}

function isRule(value: unknown): value is Rule {
  return typeof value === 'object' && value !== null && 'says' in value && 'id' in value && 'level' in value;
}
