import type { Exchange } from '../../harness/engine/exchange.ts';
import { settled } from '../../harness/engine/given.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { Deviation } from '../../harness/verdict/outcomes.ts';

/**
 * Requires that an answer belongs to its endpoint: whether a daemon that answers anything to every request, or nothing,
 * keeps the rule says nothing.
 * @throws Blocked
 */
async function isKnownBy(answer: Exchange, what: string, isSo: () => boolean): Promise<void> {
  const read = async () => {
    if (!isSo()) throw new Deviation(what, answer.text.slice(0, 100));
  };
  await settled(read(), `reading ${what} in ${answer.id}`);
}

/** Requires that an answer of GET /version has a version. */
export function tellsVersion(answer: Exchange): Promise<void> {
  return isKnownBy(answer, 'a version', () => typeof member(answer.json, 'Version') === 'string');
}

/** Requires that an answer of GET /info has the daemon's identifier. */
export function tellsDaemon(answer: Exchange): Promise<void> {
  return isKnownBy(answer, 'the identifier of the daemon', () => typeof member(answer.json, 'ID') === 'string');
}

/** Requires that an answer is a list. */
export function isList(answer: Exchange): Promise<void> {
  return isKnownBy(answer, 'a list', () => Array.isArray(answer.json));
}

/** Requires that an answer of GET /_ping contains OK; another rule judges whether that is all it says. */
export function speaksOfOk(answer: Exchange): Promise<void> {
  return isKnownBy(answer, 'OK', () => /\bok\b/i.test(answer.text));
}

function member(json: JsonValue, name: string): JsonValue | undefined {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? json[name] : undefined;
}
