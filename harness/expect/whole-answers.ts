import type { Answered, Exchange } from '../engine/exchange.ts';
import type { JsonValue } from '../streams/json.ts';
import { isObject, valuesAt } from '../streams/json-path.ts';
import { expect, expectValue } from './expect.ts';

// What checks and the proxy both judge of a single answer, whatever preceded it.

/** Each item in the answer of an image's removal has one of the two members; further members pass (`open-objects`). */
export function expectOneOfEach(answer: Exchange): void {
  const kinds = Array.isArray(answer.json) ? answer.json.map((item) => Object.keys(isObject(item) ? item : {})) : null;
  const isKnown = (name: unknown) => name === 'Untagged' || name === 'Deleted';
  expectValue('the members of the items', kinds, [answer]).toSatisfy('Untagged or Deleted, one in each', (value) => {
    const hasOne = (names: unknown) => Array.isArray(names) && names.filter(isKnown).length === 1;
    return Array.isArray(value) && value.length > 0 && value.every(hasOne);
  });
}

/** Each process in a list has a text for every title. */
export function expectColumns(answer: Exchange): void {
  const widths = listAt(answer, 'Processes').map((process) => (Array.isArray(process) ? process.length : 'no list'));
  const width = listAt(answer, 'Titles').length;
  expectValue('the number of texts of each process', [...new Set(widths)], [answer]).toBe([width]);
}

/** The answer to the opening handshake of a websocket (RFC 6455, section 4.2.2), except for the key. */
export function expectHandshake(answer: Answered): void {
  expect(answer).toHaveStatus(101);
  expect(answer).toHaveHeader('Upgrade', 'websocket');
  expect(answer).toHaveHeader('Connection', /(^|[\s,])upgrade($|[\s,])/i);
}

/** The list at a path of an answer; empty when there is none. */
export function listAt({ json }: Exchange, path: string): readonly JsonValue[] {
  const [list] = valuesAt(json, path);
  return Array.isArray(list) ? list : [];
}
