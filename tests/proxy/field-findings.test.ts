import { expect, test } from 'vitest';
import type { JsonValue } from '../../harness/streams/json.ts';
import { fieldFindings, fieldRulesOf } from '../../proxy/judge/field-findings.ts';
import { allEndpoints } from '../../specs/catalogue.ts';
import type { ApiVersion } from '../../specs/versions.ts';

/** What an answer says of one field: kept, how it deviates, or nothing. */
function said(endpoint: string, path: string, json: JsonValue, api: ApiVersion = '1.23'): string | undefined {
  const found = allEndpoints.find(({ id }) => id === endpoint);
  if (!found) throw new Error(`there is no endpoint ${endpoint}`);
  const rule = `${endpoint}.field.${path}`;
  const own = fieldFindings(fieldRulesOf(found), api, json).find((one) => one.rule.id === rule);
  return own && (own.deviation ? `${own.deviation.level}: ${own.deviation.actual}` : 'kept');
}

test.each<[what: string, endpoint: string, path: string, json: JsonValue, said: string | undefined]>([
  ['a value of its type', 'containers.wait', 'StatusCode', { StatusCode: 0 }, 'kept'],
  ['a value of another type', 'containers.wait', 'StatusCode', { StatusCode: '0' }, 'must: "0"'],
  [
    'an integer that is larger than numbers are',
    'events',
    'timeNano',
    { timeNano: 1_700_000_000_000_000_000n },
    'kept',
  ],
  ['nothing where something has to be', 'containers.wait', 'StatusCode', {}, 'must: no StatusCode'],
  ['nothing where it depends on what the event is of', 'events', 'status', { Type: 'network' }, undefined],
  ['nothing where nothing may be there', 'images.list', 'RepoTags', [{ Id: 'x' }], undefined],
  ['nothing of the daemon itself', 'system.info', 'NCPU', {}, 'should: no NCPU'],
  ['items of a list, of which one deviates', 'containers.list', 'Image', [{ Image: 'x' }, { Image: 1 }], 'must: 1'],
  ['no items', 'containers.list', 'Image', [], undefined],
  ['what was not set', 'containers.inspect', 'HostConfig.Memory', { HostConfig: { Memory: null } }, undefined],
  [
    'what was not set inside a map',
    'containers.inspect',
    'HostConfig.PortBindings',
    { HostConfig: { PortBindings: { '80/tcp': null } } },
    'kept',
  ],
  [
    'a wrong type inside a map',
    'containers.inspect',
    'HostConfig.PortBindings',
    { HostConfig: { PortBindings: { '80/tcp': 80 } } },
    'must: {"80/tcp":80}',
  ],
])('judges %s', (_, endpoint, path, json, expected) => {
  expect(said(endpoint, path, json)).toBe(expected);
});

test('judges no field that the version does not have', () => {
  expect(said('containers.list', 'State', [{ State: 1 }], '1.23')).toBe('must: 1');
  expect(said('containers.list', 'State', [{ State: 1 }], '1.20')).toBeUndefined();
});
