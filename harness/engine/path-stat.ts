import { type JsonValue, parseJson } from '../streams/json.ts';
import { isObject } from '../streams/json-path.ts';
import { Deviation } from '../verdict/outcomes.ts';
import type { Exchange } from './exchange.ts';

const pathStatHeader = 'X-Engine-Container-Path-Stat';

/**
 * The path stat in the header of the archive endpoints (Document 1, Other container-related shapes).
 * @throws Deviation when the header is missing, or is not a JSON object in base64
 */
export function pathStatOf(answer: Pick<Exchange, 'header'>): Record<string, JsonValue> {
  const text = answer.header(pathStatHeader);
  if (text === undefined) throw new Deviation(`the header ${pathStatHeader}`, 'no such header');
  const expected = `a JSON object in base64 in ${pathStatHeader}`;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw new Deviation(expected, text);
  const decoded = Buffer.from(text, 'base64').toString('utf8');
  const stat = parsed(decoded);
  if (!isObject(stat)) throw new Deviation(expected, decoded);
  return stat;
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
