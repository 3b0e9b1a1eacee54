import { PassThrough, type Transform } from 'node:stream';
import type { KnownEndpoint } from '../../specs/catalogue.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import type { Garbled } from '../registry/registry.ts';
import type { WireAnswer, WireHead, WireRequest } from '../transport/wire.ts';

/**
 * One deliberate deviation of the daemon, put between the check and the daemon to prove that the check can fail. It
 * changes requests before they are sent, answers, or the bytes of streams, for the requests it applies to.
 */
export interface Fault {
  /** What the faulty daemon does, in words: 'answers 204 instead of 304'. */
  readonly name: string;
  /** The requests it applies to, as 'METHOD /path/{with}/braces'. Default: the endpoint of the rule. */
  readonly on?: string;
  /** The first version in which a daemon can have it. Default: the first version of the rule. */
  readonly since?: ApiVersion;
  /** The last version in which it is a deviation. Default: the last version of the rule. */
  readonly until?: ApiVersion;
  /** The request that the daemon sees; an answer instead means that the daemon never sees the request. */
  readonly request?: (request: WireRequest) => WireRequest | Swallowed;
  readonly answer?: (answer: WireAnswer, request: WireRequest) => WireAnswer;
  /** The head of a live answer. */
  readonly head?: (head: WireHead, request: WireRequest) => WireHead;
  /** The head of a live answer comes only with the first bytes of its body. */
  readonly holdsHead?: boolean;
  /** The bytes of a live answer after its head. */
  readonly incoming?: (request: WireRequest) => Transform;
  /** The bytes that a client sends on a live connection. */
  readonly outgoing?: (request: WireRequest) => Transform;
  /** The daemon continues when the client drops a live connection. */
  readonly ignoresDrop?: boolean;
  /** What the daemon also does, each for the requests that it applies to. */
  readonly also?: readonly Fault[];
  /** How its requests to the suite's registry are wrong. */
  readonly toRegistry?: Garbled;
  /** The same without what it remembers of requests: each faulty daemon has its own memory. */
  readonly anew?: () => Fault;
}

/** An answer given in the daemon's place. */
interface Swallowed {
  readonly instead: WireAnswer;
}

/** The same fault for the requests of another endpoint than the rule's. */
export function on(endpoint: KnownEndpoint, fault: Fault): Fault {
  return onRequests(endpoint, fault);
}

/** The same fault for requests that may be for no endpoint of the contract, as 'METHOD /path/{with}/braces'. */
export function onRequests(requests: string, fault: Fault): Fault {
  return { ...fault, on: requests, name: `${fault.name} (${requests})` };
}

/** One deviation that shows at several endpoints: each of the faults applies where it fits. */
export function alike(name: string, first: Fault, ...others: readonly Fault[]): Fault {
  return { ...first, name, also: others };
}

/** The same fault, which is possible only from a version on: a property may have fewer faults in older ones. */
export function since(api: ApiVersion, fault: Fault): Fault {
  return { ...fault, since: api };
}

/** The same fault, which is a deviation only up to a version: later ones may let it pass. */
export function until(api: ApiVersion, fault: Fault): Fault {
  return { ...fault, until: api };
}

/**
 * The same fault for some of its requests only.
 * @throws Error when the fault has a part that is not about single requests, and would be lost
 */
export function onlyFor(applies: (request: WireRequest) => boolean, fault: Fault, name: string): Fault {
  const { request, answer, head, incoming, outgoing, ignoresDrop, also, toRegistry, anew, ...others } = fault;
  const lost = Object.entries({ ignoresDrop, also, toRegistry }).filter(([, member]) => member !== undefined);
  if (lost.length > 0)
    throw new Error(`'${name}' loses ${lost.map(([member]) => member).join(', ')} of '${fault.name}'`);
  return {
    ...others,
    name,
    ...(request && { request: (sent: WireRequest) => (applies(sent) ? request(sent) : sent) }),
    ...(answer && {
      answer: (given: WireAnswer, sent: WireRequest) => (applies(sent) ? answer(given, sent) : given),
    }),
    ...(head && { head: (given: WireHead, sent: WireRequest) => (applies(sent) ? head(given, sent) : given) }),
    ...(incoming && { incoming: (sent: WireRequest) => (applies(sent) ? incoming(sent) : new PassThrough()) }),
    ...(outgoing && { outgoing: (sent: WireRequest) => (applies(sent) ? outgoing(sent) : new PassThrough()) }),
    ...(anew && { anew: () => onlyFor(applies, anew(), name) }),
  };
}

/**
 * A fault in answers, for something that changes them in its own place.
 * @throws Error when the fault does something else, which would be lost
 */
export function ofAnswers(fault: Fault): Fault & Required<Pick<Fault, 'answer'>> {
  const { name, since: _since, until: _until, answer, ...others } = fault;
  const lost = Object.keys(others);
  if (!answer || lost.length > 0) throw new Error(`'${name}' is no fault of answers alone: ${lost.join(', ')}`);
  return { ...fault, answer };
}

/** The same fault only when a request is repeated: the first one for each path is passed on unchanged. */
export function onRepeats(fault: Fault): Fault {
  const anew = (): Fault => {
    const paths = new Set<string>();
    const repeats = new WeakSet<WireRequest>();
    const repeated = onlyFor((request) => repeats.has(request), fault, `${fault.name} when asked again`);
    return {
      ...repeated,
      request: (request) => {
        if (paths.has(request.path)) repeats.add(request);
        paths.add(request.path);
        return repeated.request?.(request) ?? request;
      },
    };
  };
  return { ...anew(), anew };
}

/** The same fault only in answers to requests of one API version. */
export function inVersion(api: ApiVersion, fault: Fault): Fault {
  return onlyFor(({ path }) => path.startsWith(`/v${api}/`), fault, `${fault.name} in ${api}`);
}
