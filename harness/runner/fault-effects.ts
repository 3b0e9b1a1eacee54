import type { Fault } from '../faults/fault.ts';
import { type JsonValue, parseJson, writeJson } from '../streams/json.ts';
import { holdersOf } from '../streams/json-path.ts';
import type { WireAnswer, WireHead, WireRequest } from '../transport/wire.ts';

/** What was exchanged with a daemon without a fault. */
export interface Exchanged {
  readonly request: WireRequest;
  readonly answer: WireAnswer;
}

/** Whether a fault would have changed a request or its answer. */
export function changesExchange(fault: Fault, request: WireRequest, answer: WireAnswer): boolean {
  return changesRequest(fault, request) || changes(() => isOther(fault.answer?.(answer, request), answer));
}

/** Whether a fault would have changed a request, or the stream that it opened. */
export function changesStream(fault: Fault, request: WireRequest, answer: WireHead): boolean {
  if (fault.incoming || fault.outgoing || fault.ignoresDrop) return true;
  return changesRequest(fault, request) || changes(() => isOther(fault.head?.(answer, request), answer));
}

function changesRequest(fault: Fault, request: WireRequest): boolean {
  return changes(() => {
    const sent = fault.request?.(request) ?? request;
    if ('instead' in sent) return true;
    return sent !== request && JSON.stringify(sent) !== JSON.stringify(request);
  });
}

/** Whether a fault would have changed a field of an answer, or its status. */
export function changesField(fault: Fault, exchanged: Exchanged, path: string): boolean {
  const { request, answer } = exchanged;
  const last = lastChanged.get(exchanged);
  const changed = last?.fault === fault ? last.changed : (fault.answer?.(answer, request) ?? answer);
  lastChanged.set(exchanged, { fault, changed });
  return changed.status !== answer.status || fieldIn(changed, path) !== fieldIn(answer, path);
}

/** An answer as changed by a fault, because many fields are looked up in it. */
const lastChanged = new WeakMap<Exchanged, { readonly fault: Fault; readonly changed: WireAnswer }>();
const parsed = new WeakMap<Buffer, JsonValue>();

/** Every value of a field in an answer, as text; the whole answer when it is not JSON. */
function fieldIn({ body }: WireAnswer, path: string): string {
  try {
    const json = parsed.get(body) ?? parseJson(body.toString('utf8'));
    parsed.set(body, json);
    const holders = (Array.isArray(json) ? json : [json]).flatMap((item) => holdersOf(item, path));
    const values = holders.map(({ object, name }) => (Object.hasOwn(object, name) ? [object[name] ?? null] : []));
    return writeJson(values);
  } catch {
    return body.toString('latin1');
  }
}

/** A fault that cannot read an exchange would not change it. */
function changes(look: () => boolean): boolean {
  try {
    return look();
  } catch {
    return false;
  }
}

function isOther(changed: (WireHead & { body?: Buffer }) | undefined, answer: WireHead & { body?: Buffer }): boolean {
  if (changed === undefined || changed === answer) return false;
  if (changed.status !== answer.status || JSON.stringify(changed.headers) !== JSON.stringify(answer.headers))
    return true;
  if (changed.body === undefined || answer.body === undefined || changed.body.equals(answer.body)) return false;
  return plain(changed.body) !== plain(answer.body);
}

/** A body in normalized form, as rewriting changes its white space. */
function plain(body: Buffer): string {
  const text = body.toString('latin1');
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
