import { isInteger, parse, stringify } from 'lossless-json';

/** A JSON value; integers that a double cannot hold are bigint. */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | { [name: string]: JsonValue };

/** A run of digits this long may be an integer beyond 2^53. */
const longNumber = /\d{16}/;

/**
 * Parses one JSON text like JSON.parse, but keeps integers beyond 2^53 as bigint.
 * @throws SyntaxError
 */
export function parseJson(text: string): JsonValue {
  const plain: JsonValue = JSON.parse(text);
  if (!longNumber.test(text)) return plain;
  return parse(text, undefined, parseNumber) as JsonValue;
}

function parseNumber(digits: string): number | bigint {
  const value = Number(digits);
  return Number.isSafeInteger(value) || !isInteger(digits) ? value : BigInt(digits);
}

/** Writes a JSON text; bigint members are written as integers. */
export function writeJson(value: JsonValue): string {
  return stringify(value) ?? 'null';
}
