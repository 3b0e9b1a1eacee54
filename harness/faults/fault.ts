import { PassThrough, type Transform } from 'node:stream';
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
  /** The first version in which a daemon can deviate so. Default: the first one of the rule. */
  readonly since?: ApiVersion;
  /** The last version in which that is a deviation. Default: the last one of the rule. */
  readonly until?: ApiVersion;
  /** The request as the daemon is to see it; an answer instead means that the daemon never sees it. */
  readonly request?: (request: WireRequest) => WireRequest | Swallowed;
  readonly answer?: (answer: WireAnswer, request: WireRequest) => WireAnswer;
  /** The head of a live answer. */
  readonly head?: (head: WireHead, request: WireRequest) => WireHead;
  /** The bytes of a live answer after its head. */
  readonly incoming?: (request: WireRequest) => Transform;
  /** The bytes that a client sends on a live connection. */
  readonly outgoing?: (request: WireRequest) => Transform;
  /** It goes on with what it does when the client drops a live connection. */
  readonly ignoresDrop?: boolean;
  /** What the daemon does besides, each for the requests that it applies to. */
  readonly also?: readonly Fault[];
  /** What it asks of the suite's registry otherwise than it should. */
  readonly toRegistry?: Garbled;
}

/** An answer given in the daemon's place. */
interface Swallowed {
  readonly instead: WireAnswer;
}

/** The same fault for the requests of another endpoint than the rule's. */
export function on(endpoint: string, fault: Fault): Fault {
  return { ...fault, on: endpoint, name: `${fault.name} (${endpoint})` };
}

/** One deviation that shows at several endpoints: each of the faults acts where it applies. */
export function alike(name: string, first: Fault, ...others: readonly Fault[]): Fault {
  return { ...first, name, also: others };
}

/** The same fault, which there can be only from a version on: a property may have fewer in older ones. */
export function since(api: ApiVersion, fault: Fault): Fault {
  return { ...fault, since: api };
}

/** The same fault only when a request is made again: the first one for a path goes through as it is. */
export function onRepeats(fault: Fault): Fault {
  const paths = new Set<string>();
  const repeats = new WeakSet<WireRequest>();
  const { incoming } = fault;
  return {
    ...(fault.on !== undefined && { on: fault.on }),
    name: `${fault.name} when asked again`,
    request: (request) => {
      if (paths.has(request.path)) repeats.add(request);
      paths.add(request.path);
      return repeats.has(request) ? (fault.request?.(request) ?? request) : request;
    },
    answer: (answer, request) => (repeats.has(request) ? (fault.answer?.(answer, request) ?? answer) : answer),
    ...(incoming && {
      incoming: (request: WireRequest) => (repeats.has(request) ? incoming(request) : new PassThrough()),
    }),
  };
}

/** The same fault only in answers to requests of one API version. */
export function inVersion(api: ApiVersion, fault: Fault): Fault {
  return {
    ...(fault.on !== undefined && { on: fault.on }),
    name: `${fault.name} in ${api}`,
    answer: (answer, request) =>
      request.path.startsWith(`/v${api}/`) ? (fault.answer?.(answer, request) ?? answer) : answer,
  };
}
