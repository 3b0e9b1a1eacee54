import { expect, test } from 'vitest';
import { type SelectionFlags, select } from '../../cli/selection.ts';
import { allRules } from '../../specs/catalogue.ts';
import { endpointTitle } from '../../specs/endpoint.ts';
import type { Rule } from '../../specs/rule.ts';
import { engineConformance } from './command.ts';
import { pairsOf, validReport } from './report.ts';
import { rightPing, smallEngine } from './small-engine.ts';

/** A whole command, on a machine that may be busy. */
const timeout = 300_000;

function chosen(flags: SelectionFlags): readonly Rule[] {
  const { rules } = select(flags);
  expect(rules.length).toBeGreaterThan(0);
  return rules;
}

function idsOf(flags: SelectionFlags): string[] {
  return chosen(flags).map(({ id }) => id);
}

const titleOf = ({ endpoint }: Rule) => (endpoint ? endpointTitle(endpoint) : '');

test('an endpoint stands for all of its rules, whatever area they are of', () => {
  const stop = 'POST /containers/{id}/stop';
  const expected = allRules.filter((rule) => titleOf(rule) === stop).map(({ id }) => id);
  expect(idsOf({ only: [stop] })).toEqual(expected);
  expect(expected).toContain('containers.stop.stopped-answers-304');
});

test.each([
  ['a parameter of another name', 'POST /containers/{name}/stop'],
  ['a method in small letters', 'post /containers/{id}/stop'],
  ['no method where one fits', '/containers/{id}/stop'],
])('an endpoint with %s', (_what, pattern) => {
  expect(idsOf({ only: [pattern] })).toEqual(idsOf({ only: ['POST /containers/{id}/stop'] }));
});

test('* in an endpoint', () => {
  const titles = new Set(chosen({ only: ['GET /volumes*'] }).map(titleOf));
  expect([...titles].toSorted()).toEqual(['GET /volumes', 'GET /volumes/{name}']);
  const methods = new Set(chosen({ only: ['* /volumes/{name}'] }).map(titleOf));
  expect([...methods].toSorted()).toEqual(['DELETE /volumes/{name}', 'GET /volumes/{name}']);
});

test('without *, an endpoint stands for no longer path', () => {
  expect(new Set(chosen({ only: ['/volumes'] }).map(titleOf))).toEqual(new Set(['GET /volumes']));
});

test('--skip leaves out rules by id and by endpoint, and --only and --skip have one selection', () => {
  const only = ['containers.stop.*', 'containers.kill.*'];
  const all = chosen({ only });
  const skip = ['containers.stop.stopped-answers-304', 'POST /containers/{id}/kill'];
  const left = all.filter((rule) => rule.id !== skip[0] && titleOf(rule) !== skip[1]).map(({ id }) => id);
  expect(idsOf({ only, skip })).toEqual(left);
  expect(left.length).toBeGreaterThan(3);
  expect(left.length).toBeLessThan(all.length - 3);
});

test('--skip alone leaves all the others, which is no longer the whole contract', () => {
  const { rules, whole } = select({ skip: ['generated.*'] });
  expect(rules).toEqual(allRules.filter(({ area }) => area !== 'generated'));
  expect(whole).toBe(false);
  expect(select({}).whole).toBe(true);
});

test('areas and levels narrow what the patterns choose', () => {
  expect(chosen({ area: ['volumes', 'networks'] })).toEqual(
    allRules.filter(({ area }) => area === 'volumes' || area === 'networks'),
  );
  expect(chosen({ level: ['should'] })).toEqual(allRules.filter(({ level }) => level === 'should'));
  expect(chosen({ only: ['*list*'], area: ['images'], level: ['must'] })).toEqual(
    allRules.filter(({ id, area, level }) => id.includes('list') && area === 'images' && level === 'must'),
  );
});

test.each<[SelectionFlags, string]>([
  [
    { only: ['POST /containers/{id}/stpo'] },
    "no rule belongs to the endpoint 'POST /containers/{id}/stpo'; did you mean",
  ],
  [{ skip: ['sistem.ping.*'] }, "'sistem.ping.*' matches no rule; did you mean 'system.ping.*'?"],
  [{ skip: ['system.ping.body-KO'] }, "did you mean 'system.ping.body-OK'?"],
  [{ area: ['contaiers'] }, "there is no area 'contaiers'; did you mean 'containers'?"],
  [{ only: ['system.ping.*'], skip: ['system.*'] }, 'no rule matches --only and --skip together'],
])('%j is wrong usage', (flags, says) => {
  expect(() => select(flags)).toThrow(says);
});

test('run judges what is left, and says in the report how it was chosen', { timeout }, async () => {
  const { address } = await smallEngine(rightPing);
  const args = ['--only', 'GET /_ping', '--skip', '*.text-plain', '--level', 'must', '--api', '1.20'];
  const run = await engineConformance(['run', '--target', address, ...args, '--report', 'left']);
  expect(run.status).toBe(0);
  const report = validReport('left');
  const expected = allRules
    .filter((rule) => titleOf(rule) === 'GET /_ping' && rule.level === 'must')
    .map(({ id }) => id);
  expect(expected).toContain('system.ping.text-plain');
  expect(pairsOf(report)).toEqual(
    expected
      .filter((id) => id !== 'system.ping.text-plain')
      .map((id) => `${id} 1.20`)
      .toSorted(),
  );
  expect(report.options).toMatchObject({ only: ['GET /_ping'], skip: ['*.text-plain'], level: ['must'] });
});

test('a level that there is not', async () => {
  const { status, stderr } = await engineConformance(['list', '--level', 'shuold']);
  expect(stderr).toContain('It must be one of must, should, observe');
  expect(status).toBe(2);
});
