import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checksOf } from '../../cli/checks.ts';
import { causesOf } from '../../cli/explain/causes.ts';
import { embeddedExample } from '../../cli/explain/example.ts';
import { excerpt } from '../../cli/explain/excerpt.ts';
import { clientsOf } from '../../reports/clients/clients.ts';
import { allRules } from '../../specs/catalogue.ts';
import { engineConformance } from './command.ts';

const checks = await checksOf(allRules);

async function explained(...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await engineConformance(['explain', ...args]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

test('the request, an answer that keeps the rule, and one that does not', async () => {
  const text = await explained('containers.stop.stopped-answers-304');
  expect(text).toContain(
    '$ curl -i -X POST --unix-socket /run/engine.sock http://localhost/v1.23/containers/ID/stop\n',
  );
  expect(text).toMatch(/^conforming: +< 304$/m);
  expect(text).toMatch(/^not conforming: a daemon that answers 204 instead of 304\n +< 204\n +expected: status 304\n/m);
  expect(text).toMatch(
    /^read it in: +file:.*\/dist\/contract\/containers\.stop\.html#containers\.stop\.stopped-answers-304$/m,
  );
  expect(text).toMatch(/^often because: +\S/m);
  expect(text).toMatch(
    /^clients: +docker 20\.10, API 1\.23: docker stop \(t\)\n +dockerode 5, .*container\.stop \(t\)$/m,
  );
});

test('of a long answer only the field that the rule is about', async () => {
  const text = await explained('containers.inspect.field.State.Running');
  expect(text).toMatch(/^conforming:.*\n.*\n +<\n +\{"State": \{"Running": (?:true|false), …\}, …\}$/m);
  expect(text).toMatch(
    /^ +\{"State": \{…\}, …\}\n +expected: State\.Running: a boolean\n +actual: no State\.Running$/m,
  );
});

test('the engines that were seen to deviate', async () => {
  const text = await explained('containers.list.since', '--no-example');
  expect(text).toMatch(
    /^seen on: +dockerd-20\.10 \[.*\n +podman-4\.3 \[1\.20.*\]: lists containers as if the parameter had not been sent/m,
  );
  expect(text).not.toContain('example:');
});

test('what a client was measured to do where the rule is not kept', async () => {
  const names = await explained('containers.list.field.Names', '--no-example');
  expect(names).toMatch(
    /^trip over it: +docker ps prints something else, on a daemon that drops Names \(docker 20\.10, /m,
  );
  const state = await explained('containers.list.field.State', '--no-example');
  expect(state).toMatch(/^trip over it: +docker ps works all the same, on a daemon that drops State /m);
  expect(await explained('containers.stop.kills-after-t', '--no-example')).toMatch(/^trip over it: +not measured$/m);
});

describe('the code of a rule', () => {
  const source = new Map<string, string[]>();

  /** The line at `file:line` of the repository, and the one after it. */
  function at(place: string): string {
    const [file = '', line = ''] = place.split(':');
    const lines = source.get(file) ?? readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').split('\n');
    source.set(file, lines);
    expect(Number(line), place).toBeLessThanOrEqual(lines.length);
    return lines.slice(Number(line) - 1, Number(line) + 1).join('\n');
  }

  test('is named by file and line', async () => {
    const text = await explained('containers.stop.stopped-answers-304', '--no-example');
    const [, rule, check, reference] = /^code: +rule: (.+)\n +check: (.+)\n +reference engine: (.+)$/m.exec(text) ?? [];
    expect(rule).toMatch(/^specs\/containers\/stop\.ts:/);
    expect(at(rule ?? '')).toContain("'stopped-answers-304': {");
    expect(check).toMatch(/^suites\/containers\/stop\.ts:/);
    expect(at(check ?? '')).toContain("'containers.stop.stopped-answers-304'");
    expect(at(reference ?? '')).toContain('function stopContainer(');
  });

  test('is there for every rule and check', async () => {
    const { rules }: { rules: readonly { id: string; endpoint?: string; places: Record<string, string> }[] } =
      JSON.parse(await explained('*', '--format', 'json'));
    expect(rules.length).toBe(allRules.length);
    for (const { id, endpoint, places } of rules) {
      expect(at(places.rule ?? ''), id).not.toBe('');
      expect(places.rule, id).toMatch(/^specs\//);
      expect(places.check !== undefined, id).toBe(checks.has(id));
      if (places.check) {
        expect(at(places.check), id).toMatch(/['`]/);
        expect(places.check, id).toMatch(/^suites\/(?!.*support\/)/);
      }
      expect(places.reference !== undefined, id).toBe(endpoint !== undefined);
    }
    // A rule that is written by itself is found by its own name, and so is its check.
    const written = rules.filter(({ id, places }) => at(places.rule ?? '').includes(`'${id.split('.').at(-1)}': {`));
    expect(written.length).toBeGreaterThan(600);
    const literal = rules.filter(({ id, places }) => places.check && at(places.check).includes(`'${id}'`));
    expect(literal.length).toBeGreaterThan(700);
  });
});

test('as JSON', async () => {
  const explanation: unknown = JSON.parse(await explained('system.ping.body-OK', '--format', 'json'));
  expect(explanation).toMatchObject({
    id: 'system.ping.body-OK',
    causes: expect.arrayContaining([expect.any(String)]),
    seen: expect.any(Array),
    clients: [{ commands: { 'docker run': [] } }, { commands: { ping: [] } }],
    example: {
      api: '1.23',
      verdict: 'pass',
      request: { curl: expect.stringMatching(/^curl .*\/v1\.23\/_ping$/) },
      conforming: { status: 200, body: 'OK' },
      deviating: { fault: expect.any(String), answer: { status: 200 } },
    },
  });
});

describe('an example of a rule', () => {
  const kinds = [...new Set(allRules.map(({ kind }) => kind))].filter(
    (kind) => kind !== 'property' && kind !== 'observe',
  );

  test.each(kinds)('of kind %s: the check passes, and fails under a fault', async (kind) => {
    const check = [...checks.values()].find((one) => one.rule.kind === kind && !one.long);
    if (!check) throw new Error(`no check of kind ${kind}`);
    const { kept, broken } = await embeddedExample(check);
    // Bytes that are no text come to curl from other commands.
    const curl = expect.stringMatching(/^(?:(?:\{ )?printf .* \| )?curl /);
    expect(kept).toMatchObject({ result: { verdict: 'pass' }, exchange: { curl } });
    expect(broken).toMatchObject({ result: { verdict: 'fail' }, fault: expect.any(String) });
  });
});

test('a pattern or an endpoint: each of its rules, without answers', { timeout: 300_000 }, async () => {
  const ids = (text: string) => text.split('\n').filter((line) => /^containers\.stop\.\S+$/.test(line));
  const expected = allRules.filter(({ id }) => id.startsWith('containers.stop.')).map(({ id }) => id);
  const text = await explained('containers.stop.*');
  expect(ids(text)).toEqual(expected);
  expect(text).not.toMatch(/^conforming:/m);
  const json: unknown = JSON.parse(await explained('POST /containers/{id}/stop', '--format', 'json'));
  expect(json).toMatchObject({ rules: expect.arrayContaining([expect.objectContaining({ id: expected[0] })]) });
});

test('a pattern that matches nothing', async () => {
  const { status, stderr } = await engineConformance(['explain', 'sistem.ping.*']);
  expect(stderr).toBe("error: 'sistem.ping.*' matches no rule; did you mean 'system.ping.*'?\n");
  expect(status).toBe(2);
});

test('every rule has causes, and the commands on record are of endpoints of the contract', () => {
  expect(allRules.filter((rule) => causesOf(rule).length === 0)).toEqual([]);
  const used = allRules.filter((rule) => clientsOf(rule).length > 0);
  expect(used.length).toBeGreaterThan(allRules.length / 2);
});

test.each([
  ['{"a":{"b":1,"c":2},"d":3}', 'a.b', '{"a": {"b": 1, …}, …}'],
  ['[{"a":[{"b":12345678901234567890}]},{}]', 'a[].b', '[{"a": [{"b": 12345678901234567890}]}, …]'],
  ['{"Networks":{"bridge":{"IP":"x"},"none":{}}}', 'Networks{}.IP', '{"Networks": {"bridge": {"IP": "x"}, …}}'],
  ['{"a":null}', 'a.b', '{"a": null}'],
  ['{"x":1}', 'a', '{…}'],
  ['[]', 'a', '[]'],
  ['no JSON', 'a', undefined],
])('the excerpt of %s at %s', (json, path, expected) => {
  expect(excerpt(json, path)).toBe(expected);
});

test('a rule of the token endpoint is explained by requests for tokens, not by containers', async () => {
  const ids = allRules.filter(({ endpoint }) => endpoint?.server === 'authorization').map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(45);
  for (const rule of allRules.filter(({ id }) => ids.includes(id))) {
    expect(causesOf(rule).join('\n')).not.toMatch(/container|inspect|daemon|API version/);
  }
  const text = await explained('token.body.service');
  expect(text).toMatch(/^versions: +none: .*in each of its versions$/m);
  expect(text).toMatch(/^versions: +none: the endpoint has no API version/m);
  expect(text).toMatch(/^example: +the deciding request for a token\n +\$ curl .*grant_type=password&service=/m);
  expect(text).toMatch(/^not conforming: a token server that ignores service$/m);
  expect(text).toMatch(/^seen on: +see docs\/token-server\.md /m);
  expect(text).not.toMatch(/container|IMAGE|dockerd/);
});
