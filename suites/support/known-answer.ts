import type { Exchange } from '../../harness/engine/exchange.ts';
import { settled } from '../../harness/engine/given.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { Deviation } from '../../harness/verdict/outcomes.ts';

/**
 * Needs an answer to be one of its endpoint: what a daemon keeps that answers anything to anything, or nothing, says
 * nothing of the rule.
 * @throws Blocked
 */
async function isKnownBy(answer: Exchange, what: string, isSo: () => boolean): Promise<void> {
  const read = async () => {
    if (!isSo()) throw new Deviation(what, answer.text.slice(0, 100));
  };
  await settled(read(), `reading ${what} in ${answer.id}`);
}

/** Needs an answer of GET /version to tell a version. */
export function tellsVersion(answer: Exchange): Promise<void> {
  return isKnownBy(answer, 'a version', () => typeof member(answer.json, 'Version') === 'string');
}

/** Needs an answer of GET /info to tell the daemon's identifier. */
export function tellsDaemon(answer: Exchange): Promise<void> {
  return isKnownBy(answer, 'the identifier of the daemon', () => typeof member(answer.json, 'ID') === 'string');
}

/** Needs an answer to be a list. */
export function isList(answer: Exchange): Promise<void> {
  return isKnownBy(answer, 'a list', () => Array.isArray(answer.json));
}

/** Needs an answer of GET /_ping to speak of OK; whether it says just that is a rule of its own. */
export function speaksOfOk(answer: Exchange): Promise<void> {
  return isKnownBy(answer, 'OK', () => /\bok\b/i.test(answer.text));
}

function member(json: JsonValue, name: string): JsonValue | undefined {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? json[name] : undefined;
}
