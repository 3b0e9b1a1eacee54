import type { Answered } from '../../harness/engine/exchange.ts';
import { pathStatOf } from '../../harness/engine/path-stat.ts';
import { acceptKeyOf } from '../../harness/engine/websocket.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { expectHandshake } from '../../harness/expect/whole-answers.ts';
import { isObject } from '../../harness/streams/json-path.ts';
import { headerOf } from '../../harness/transport/wire.ts';
import { answerOf, type Endpoint } from '../../specs/endpoint.ts';
import { newestDocumented } from '../../specs/versions.ts';
import { type PassiveCheck, ruleNamed, type Subject } from './subject.ts';

type HeadCheck = Omit<PassiveCheck, 'rule'>;

/** The checks of the status of an answer. */
export function statusChecks(endpoint: Endpoint): PassiveCheck[] {
  return ofRules(endpoint, { ...successes(endpoint), 'server-error-500': serverError });
}

/** The checks of an endpoint that the head of its answer decides, except those of its status. */
export function headChecks(endpoint: Endpoint): PassiveCheck[] {
  return ofRules(endpoint, { ...upgrades(endpoint), ...mediaTypes(endpoint), ...headers(endpoint) });
}

function ofRules(endpoint: Endpoint, named: Readonly<Record<string, HeadCheck>>): PassiveCheck[] {
  return Object.entries(named).flatMap(([name, check]) => {
    const rule = ruleNamed(`${endpoint.id}.${name}`);
    return rule ? [{ rule, ...check }] : [];
  });
}

/** Not a redirect, which servers answer for unusual spellings of a path. */
const isSuccess = ({ status }: Answered) => status >= 200 && status < 300;

/** No request permits a successful status that is not listed for the endpoint. */
function successes(endpoint: Endpoint): Record<string, HeadCheck> {
  const stated = Object.keys(endpoint.answers).map(Number);
  const checks = stated.map((code): [string, HeadCheck] => [
    `answers-${code}`,
    {
      decidedBy: (subject, answer) =>
        isSuccess(answer) && (answer.status === code || !isStated(subject, answer)) && !isPull(subject),
      assert: (_, answer) => expect(answer).toHaveStatus(code),
    },
  ]);
  const pull: HeadCheck = {
    decidedBy: (subject, answer) => isSuccess(answer) && isPull(subject),
    assert: (_, answer) => expect(answer).toHaveStatus(200),
  };
  return { ...Object.fromEntries(checks), 'pull-answers-200': pull };
}

/** In the words of the suite's check, which examines all answers of a run. */
const serverError: HeadCheck = {
  decidedBy: (_, { status }) => status >= 500,
  assert(_, answer) {
    expectValue('the statuses of the server errors', [answer.status], [answer], { level: 'should' }).toBe([500]);
  },
};

function isStated({ endpoint, api }: Subject, { status }: Answered): boolean {
  return answerOf(endpoint, status, api) !== undefined;
}

/** Create an image has a rule for pulls and one for imports. */
function isPull({ endpoint, query }: Subject): boolean {
  return endpoint.id === 'images.create' && query.has('fromImage');
}

function upgrades(endpoint: Endpoint): Record<string, HeadCheck> {
  if (answerOf(endpoint, 101, newestDocumented)?.body !== 'raw-stream') return {};
  const opens = (subject: Subject, { status }: Answered) => status < 300 && !isDetached(subject);
  const with101 = (subject: Subject, answer: Answered) => answer.status === 101 && asksForUpgrade(subject);
  return {
    'stream.upgrade-answers-101': {
      decidedBy: (subject, answer) => opens(subject, answer) && asksForUpgrade(subject),
      assert: (_, answer) => expect(answer).toHaveStatus(101),
    },
    'stream.no-upgrade-answers-200': {
      decidedBy: (subject, answer) =>
        opens(subject, answer) && headerOf(subject.request.headers, 'Upgrade') === undefined,
      assert: (_, answer) => expect(answer).toHaveStatus(200),
    },
    'stream.repeats-Upgrade': {
      decidedBy: with101,
      assert: (_, answer) => expect(answer).toHaveHeader('Upgrade', 'tcp'),
    },
    'stream.repeats-Connection': {
      decidedBy: with101,
      assert: (_, answer) => expect(answer).toHaveHeader('Connection', 'Upgrade'),
    },
    'stream.upgraded-media-type': {
      decidedBy: with101,
      assert: (_, answer) => expect(answer).toHaveMediaType('application/vnd.engine.raw-stream'),
    },
  };
}

function asksForUpgrade({ request }: Subject): boolean {
  const upgrade = headerOf(request.headers, 'Upgrade')?.toLowerCase();
  return upgrade === 'tcp' && hasToken(headerOf(request.headers, 'Connection'), 'upgrade');
}

/** Exec start: with Detach there is no stream, and if the body was not read it is not known whether there is one. */
function isDetached({ endpoint, sent }: Subject): boolean {
  return endpoint.id === 'exec.start' && !(isObject(sent) && sent.Detach !== true);
}

function mediaTypes(endpoint: Endpoint): Record<string, HeadCheck> {
  const stated = (type: string | RegExp | readonly string[]): HeadCheck => ({
    decidedBy: (subject, answer) =>
      isSuccess(answer) && statedType(subject, answer) !== undefined && !isDetached(subject),
    assert: (_, answer) => {
      if (type instanceof RegExp) expect(answer).toHaveHeader('Content-Type', type);
      else expect(answer).toHaveMediaType(...[type].flat());
    },
  });
  const [type] = Object.values(endpoint.answers).flatMap((answers) =>
    [answers].flat().flatMap((one) => one.mediaType ?? []),
  );
  if (type === undefined) return {};
  if (endpoint.id === 'containers.resize') return { 'media-type': stated(/^text\/plain;\s*charset=utf-8$/i) };
  if (endpoint.id === 'exec.inspect') {
    return { 'plain-text': stated(['plain/text', 'text/plain']), 'media-type': stated('application/json') };
  }
  return { 'media-type': stated(type), 'media-type-200': stated(type), 'text-plain': stated(type) };
}

function statedType({ endpoint, api }: Subject, { status }: Answered): string | undefined {
  return answerOf(endpoint, status, api)?.mediaType;
}

const is200 = (_: Subject, { status }: Answered) => status === 200;

function headers({ id }: Endpoint): Record<string, HeadCheck> {
  const chunked: HeadCheck = {
    // Without a body nothing can be chunked.
    decidedBy: (subject, answer) =>
      is200(subject, answer) && statedType(subject, answer) !== undefined && answer.header('Content-Length') !== '0',
    assert: (_, answer) => expect(answer).toHaveHeader('Transfer-Encoding', 'chunked'),
  };
  if (id === 'events' || id === 'images.load') return { chunked };
  if (id === 'containers.resize') {
    const assert: HeadCheck['assert'] = (_, answer) => expect(answer).toHaveHeader('Content-Length', '0');
    return { 'content-length-0': { decidedBy: is200, assert } };
  }
  if (id === 'containers.archive-get' || id === 'containers.archive-stat') {
    return { 'path-stat': { decidedBy: is200, assert: (_, answer) => void pathStatOf(answer) } };
  }
  return id === 'containers.attach-ws' ? handshake : {};
}

const shakes = ({ request }: Subject, { status }: Answered) =>
  status < 300 &&
  headerOf(request.headers, 'Upgrade')?.toLowerCase() === 'websocket' &&
  headerOf(request.headers, 'Sec-WebSocket-Key') !== undefined;

const handshake: Record<string, HeadCheck> = {
  handshake: { decidedBy: shakes, assert: (_, answer) => expectHandshake(answer) },
  'accept-key': {
    decidedBy: (subject, answer) => shakes(subject, answer) && answer.status === 101,
    assert({ request }, answer) {
      const key = headerOf(request.headers, 'Sec-WebSocket-Key') ?? '';
      const accepted = answer.header('Sec-WebSocket-Accept');
      expectValue('Sec-WebSocket-Accept', accepted, [answer]).toBe(acceptKeyOf(key));
    },
  },
};

function hasToken(value: string | undefined, token: string): boolean {
  return (value ?? '').split(',').some((one) => one.trim().toLowerCase() === token);
}
