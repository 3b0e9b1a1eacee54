import { expect, test } from 'vitest';
import { jsonSpan } from '../../reports/json-span.ts';

const text = '{"a": [1, {"b\\u0020c": "x,}"}], "d": null}\n{"e": 2}';

function written(...steps: string[]): string | undefined {
  const span = jsonSpan(text, steps);
  return span && text.slice(span.begin, span.end);
}

test('a value is found with the name of its member', () => {
  expect(written('d')).toBe('"d": null');
  expect(written('a', '1', 'b c')).toBe('"b\\u0020c": "x,}"');
  expect(written('a', '0')).toBe('1');
  expect(written()).toBe('{"a": [1, {"b\\u0020c": "x,}"}], "d": null}');
});

test('what is absent stands where it would be', () => {
  expect(written('a', '1', 'z')).toBe('{');
  expect(written('a', '7')).toBe('"a": [');
  expect(written('z')).toBe('{');
});

test('documents one after another are a list', () => {
  expect(written('1', 'e')).toBe('"e": 2');
  expect(written('0', 'd')).toBe('"d": null');
});

test('of a text that was cut off there is what is left', () => {
  const span = jsonSpan('[{"a": 1}, {"a": "cut o', ['1', 'a']);
  expect(span?.begin).toBe(12);
  expect(jsonSpan('', ['a'])).toBeUndefined();
});
