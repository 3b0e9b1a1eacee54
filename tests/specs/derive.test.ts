import { describe, expect, test } from 'vitest';
import { allEndpoints } from '../../specs/catalogue.ts';
import { list as containerList } from '../../specs/containers/list.ts';
import { answerSchema, schemaFor, titledSchemas } from '../../specs/derive.ts';
import {
  containerCreateBody,
  containerInspect,
  containerListItem,
  waitResult,
} from '../../specs/resources/container.ts';
import { event } from '../../specs/resources/event.ts';
import { execInspect } from '../../specs/resources/exec.ts';
import { hostConfig } from '../../specs/resources/host-config.ts';
import { imageInspect } from '../../specs/resources/image.ts';
import { tokenResponse } from '../../specs/resources/token.ts';
import type { Schema } from '../../specs/schema.ts';
import { auth } from '../../specs/system/auth.ts';
import { ping } from '../../specs/system/ping.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import { endsOfVersions } from './ends-of-versions.ts';
import { compileStrictly } from './strict-schema.ts';

const named = titledSchemas(allEndpoints);

function accepts(schema: Schema, api: ApiVersion, value: unknown): boolean {
  return compileStrictly(schemaFor(schema, api))(value);
}

describe.each(endsOfVersions)('schemas of %s', (api) => {
  test.each([...named.keys()])('%s compiles in Ajv 2020 strict', (title) => {
    const schema = named.get(title);
    if (!schema) throw new Error(`there is no schema ${title}`);
    const derived = schemaFor(schema, api);
    expect(() => compileStrictly(derived)).not.toThrow();
    expect(keywords(derived)).toEqual([]);
  });

  test('every answer with a schema compiles', () => {
    for (const endpoint of allEndpoints) {
      for (const status of Object.keys(endpoint.answers)) {
        const schema = answerSchema(endpoint, Number(status), api);
        if (schema) expect(() => compileStrictly(schema), `${endpoint.id} ${status}`).not.toThrow();
      }
    }
  });
});

test('no two schemas share a title', () => {
  const seen = new Map<string, Schema>();
  const walk = (schema: Schema): void => {
    if (schema.title !== undefined && schema.title !== 'Flag') {
      expect(seen.get(schema.title) ?? schema, schema.title).toBe(schema);
      if (seen.has(schema.title)) return;
      seen.set(schema.title, schema);
    }
    const { $ref, items, additionalProperties, contentSchema, properties, anyOf } = schema;
    for (const inner of [$ref, items, additionalProperties, contentSchema]) if (inner) walk(inner);
    for (const inner of [...Object.values(properties ?? {}), ...(anyOf ?? [])]) walk(inner);
  };
  for (const { body, answers } of allEndpoints) {
    if (body?.schema) walk(body.schema);
    for (const answer of Object.values(answers).flat()) if (answer.schema) walk(answer.schema);
  }
});

describe('versions', () => {
  test('a field is there only in its versions', () => {
    const fields = (api: ApiVersion) => Object.keys(Object(schemaFor(containerInspect, api).properties));
    expect(fields('1.20')).toContain('ExecDriver');
    expect(fields('1.20')).not.toContain('SizeRw');
    expect(fields('1.21')).toContain('SizeRw');
    expect(fields('1.23')).not.toContain('ExecDriver');
    expect(Object.keys(Object(schemaFor(hostConfig, '1.23').properties))).not.toContain('LxcConf');
    expect(Object.keys(Object(schemaFor(hostConfig, '1.21').properties))).not.toContain('PidsLimit');
  });

  test('what is referred to stands in the definitions', () => {
    const schema = schemaFor(containerInspect, '1.21');
    expect(Object.keys(Object(schema.$defs))).toEqual(
      expect.arrayContaining(['InspectConfig', 'InspectHostConfig', 'NetworkSettings', 'ContainerState', 'Mount']),
    );
    expect(Object(schema.properties).State).toEqual({ $ref: '#/$defs/ContainerState' });
  });

  test('one status can be answered differently from a version on', () => {
    expect(answerSchema(auth, 200, '1.21')).toBeUndefined();
    expect(answerSchema(auth, 200, '1.23')?.title).toBe('AuthCheckResult');
    expect(answerSchema(ping, 200, '1.23')).toBeUndefined();
    expect(answerSchema(ping, 418, '1.23')).toBeUndefined();
  });
});

describe('samples', () => {
  const item = { Id: 'c1', Names: ['/a'], Image: 'probe', ImageID: 'i1', State: 'running', Status: 'Up' };

  test('a list of containers', () => {
    const validate = compileStrictly(Object(answerSchema(containerList, 200, '1.23')));
    expect(validate([])).toBe(true);
    expect(validate([item])).toBe(true);
    expect(validate([{ ...item, Labels: null, Unheard: 1 }])).toBe(true);
    expect(validate([{ ...item, Ports: [{ PrivatePort: 80, Type: 'tcp' }] }])).toBe(true);
    expect(validate([{ ...item, Ports: [{ PrivatePort: '80', Type: 'tcp' }] }])).toBe(false);
    expect(validate([{ ...item, Names: ['a'] }])).toBe(false);
    expect(validate([{ ...item, Names: null }])).toBe(false);
    expect(validate({})).toBe(false);
  });

  test('fields that must be there', () => {
    const { State: _state, ...withoutState } = item;
    expect(accepts(containerListItem, '1.21', withoutState)).toBe(true);
    expect(accepts(containerListItem, '1.23', withoutState)).toBe(false);
    expect(accepts(waitResult, '1.20', { StatusCode: 0 })).toBe(true);
    expect(accepts(waitResult, '1.20', { StatusCode: '0' })).toBe(false);
    expect(accepts(waitResult, '1.20', {})).toBe(false);
    // Without a type in the documents, yet not null.
    expect(accepts(imageInspect, '1.21', { Id: null })).toBe(false);
    expect(accepts(imageInspect, '1.21', { Id: 'i1' })).toBe(true);
  });

  test('fields that are only there under a condition', () => {
    const exec = { ID: 'e1', Running: true, ProcessConfig: {}, ContainerID: 'c1' };
    expect(accepts(execInspect, '1.23', exec)).toBe(true);
    expect(accepts(execInspect, '1.23', { ...exec, ExitCode: null })).toBe(true);
    expect(accepts(execInspect, '1.23', { ...exec, ExitCode: '0' })).toBe(false);
  });

  test('more types than one', () => {
    expect(accepts(containerCreateBody, '1.21', { StopSignal: 'SIGINT', Cmd: 'true' })).toBe(true);
    expect(accepts(containerCreateBody, '1.21', { StopSignal: 2, Cmd: ['true'], Entrypoint: null })).toBe(true);
    expect(accepts(containerCreateBody, '1.21', { StopSignal: -2 })).toBe(false);
    expect(accepts(containerCreateBody, '1.21', { StopSignal: ['SIGINT'] })).toBe(false);
    expect(accepts(containerCreateBody, '1.21', { Cmd: [1] })).toBe(false);
  });

  test('limits hold for what is asked, and not for what an answer gives back', () => {
    expect(accepts(hostConfig, '1.20', { BlkioWeight: 10 })).toBe(true);
    expect(accepts(hostConfig, '1.20', { BlkioWeight: 9 })).toBe(false);
    expect(accepts(hostConfig, '1.20', { MemorySwappiness: 101 })).toBe(false);
    const inspected = Object(schemaFor(containerInspect, '1.20').$defs).InspectHostConfig.properties;
    expect(inspected.BlkioWeight).toEqual({ type: ['integer', 'null'], description: expect.any(String) });
  });

  test('big integers and times', () => {
    const { timeNano, ...old } = { time: 1_600_000_000, timeNano: 1_600_000_000_123_456_789n };
    expect(accepts(event, '1.20', old)).toBe(true);
    expect(accepts(event, '1.21', { ...old, timeNano: Number(timeNano) })).toBe(true);
    expect(accepts(event, '1.21', { ...old, timeNano: '1600000000123456789' })).toBe(false);
    expect(accepts(tokenResponse, '1.20', { access_token: 'a', scope: '', issued_at: '2020-01-01T00:00:00Z' })).toBe(
      true,
    );
    expect(accepts(tokenResponse, '1.20', { access_token: 'a', scope: '', issued_at: 'now' })).toBe(false);
    expect(accepts(tokenResponse, '1.20', { access_token: 'a', scope: '', expires_in: 59 })).toBe(false);
  });
});

/** Keywords of the contract that must not be left in a derived schema. */
function keywords(schema: unknown): string[] {
  const own = ['since', 'until', 'presence', 'when', 'says', 'whole', 'level', 'interpretations', 'source'];
  if (Array.isArray(schema)) return schema.flatMap(keywords);
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    // Below `properties` and `$defs` stand names, not keywords.
    if (keyword === 'properties' || keyword === '$defs') return Object.values(Object(value)).flatMap(keywords);
    return [...(own.includes(keyword) ? [keyword] : []), ...keywords(value)];
  });
}
