import type { Exchange } from '../../harness/engine/exchange.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { expectColumns, expectOneOfEach, listAt } from '../../harness/expect/whole-answers.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { isObject, valuesAt } from '../../harness/streams/json-path.ts';
import { answerOf, type Endpoint } from '../../specs/endpoint.ts';
import { newestDocumented } from '../../specs/versions.ts';
import { type PassiveCheck, ruleNamed, type Subject } from './subject.ts';

type BodyCheck = Omit<PassiveCheck<Exchange>, 'rule'>;

/** The checks of an endpoint that one complete answer decides, except those of its fields. */
export function bodyChecks(endpoint: Endpoint): PassiveCheck<Exchange>[] {
  const named: Record<string, BodyCheck> = { ...empty, ...detailsOfBadPath(endpoint), ...ofEndpoint[endpoint.id] };
  return Object.entries(named).flatMap(([name, check]) => {
    const rule = ruleNamed(`${endpoint.id}.${name}`);
    return rule ? [{ rule, ...check }] : [];
  });
}

const empty: Record<string, BodyCheck> = {
  'empty-body': {
    decidedBy: ({ endpoint, api, request }, { status }) =>
      status < 300 && request.method !== 'HEAD' && answerOf(endpoint, status, api)?.body === 'empty',
    assert: (_, answer) => expect(answer).toBeEmptyBody(),
  },
};

function detailsOfBadPath(endpoint: Endpoint): Record<string, BodyCheck> {
  if (answerOf(endpoint, 400, newestDocumented)?.body !== 'object') return {};
  const assert: BodyCheck['assert'] = (_, answer) => expect(answer).json().toSatisfy('an object', isMap);
  return { 'bad-path-json': { decidedBy: (_, { status }) => status === 400, assert } };
}

const isMap = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const is200 = (_: Subject, { status }: Exchange) => status === 200;

/**
 * Rules that say more than that the answer is a list: a single exchange can only violate them, never show that they are
 * kept.
 */
const isList: BodyCheck = {
  decidedBy: (subject, answer) => is200(subject, answer) && !Array.isArray(answer.json),
  assert: (_, answer) => expect(answer).json().toSatisfy('a list', Array.isArray),
};

const ofEndpoint: Readonly<Record<string, Readonly<Record<string, BodyCheck>>>> = {
  'containers.list': {
    'answers-list': {
      decidedBy: is200,
      assert(_, answer) {
        expect(answer).json().toSatisfy('a list', Array.isArray);
        const ids = itemsOf(answer).map(({ Id }) => Id);
        const twice = ids.find((id, place) => ids.indexOf(id) !== place);
        expectValue('a container that is listed twice', twice, [answer]).toBe(undefined);
      },
    },
  },
  'images.list': { 'answers-list': isList },
  'images.history': { 'answers-list': isList },
  'containers.changes': {
    'answers-list': { ...isList, decidedBy: (_, answer) => answer.status === 200 && isMap(answer.json) },
  },
  'networks.list': { 'every-network': isList },
  'containers.top': {
    columns: {
      decidedBy: (subject, answer) => is200(subject, answer) && listAt(answer, 'Titles').length > 0,
      assert: (_, answer) => expectColumns(answer),
    },
  },
  'containers.inspect': {
    'no-ExecDriver': lacks('ExecDriver'),
    'no-LxcConf': lacks('HostConfig.LxcConf'),
    'no-MacAddress': lacks('Config.MacAddress'),
  },
  'system.info': {
    'no-ExecutionDriver': lacks('ExecutionDriver'),
    'no-KernelMemory': lacks('KernelMemory'),
  },
  'images.inspect': {
    'no-VirtualSize': lacks('VirtualSize'),
    'no-Container': lacks('Container'),
    'no-ContainerConfig': lacks('ContainerConfig'),
    'Id-sha256': hasText('Id', /^sha256:/),
    'Parent-sha256': hasText('Parent', /^(sha256:.+)?$/),
  },
  'images.remove': { 'one-of-each': { decidedBy: is200, assert: (_, answer) => expectOneOfEach(answer) } },
  'system.ping': { 'body-OK': { decidedBy: is200, assert: (_, answer) => expect(answer).toHaveText('OK') } },
  'system.version': { 'ApiVersion-form': hasText('ApiVersion', /^\d+\.\d+$/) },
};

function lacks(path: string): BodyCheck {
  return {
    decidedBy: (_, answer) => answer.status === 200 && isMap(answer.json),
    assert: (_, answer) => expect(answer).field(path).toBeAbsent(),
  };
}

function hasText(path: string, form: RegExp): BodyCheck {
  return {
    // The rule of the field judges whether it is there, and a string.
    decidedBy: (_, answer) => answer.status === 200 && typeof valuesAt(answer.json, path)[0] === 'string',
    assert: (_, answer) => expect(answer).field(path).toMatch(form),
  };
}

function itemsOf({ json }: Exchange): Record<string, JsonValue>[] {
  return Array.isArray(json) ? json.filter(isObject) : [];
}
