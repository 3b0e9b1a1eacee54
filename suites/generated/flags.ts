import fc from 'fast-check';
import { check, fixture } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import type { Query } from '../../harness/engine/query.ts';
import { expect, expectValue } from '../../harness/expect/expect.ts';
import { type Fault, on } from '../../harness/faults/fault.ts';
import { knowsOnly } from '../../harness/faults/requests.ts';
import { forAll } from '../../harness/property/for-all.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { isObject } from '../../harness/streams/json-path.ts';
import { allEndpoints, type KnownEndpoint } from '../../specs/catalogue.ts';
import { flag } from '../../specs/parameters.ts';
import { type ApiVersion, holdsIn } from '../../specs/versions.ts';
import { hasTidiedUp } from '../containers/support/named-states.ts';
import { hasLogged } from '../support/common-containers.ts';
import { ruleOf } from './support/kept-fields.ts';

/** A container that has ended, with output and a written file. */
const ended = fixture(
  'a container that has written',
  async ({ engine }) => {
    const run = ['write', '/ec-written', 'x', 'out', 'one\\n', 'err', 'two\\n'];
    const container = await makeContainer(engine, { run, state: 'exited' });
    await hasTidiedUp(container);
    await hasLogged(container, 'two');
    return container;
  },
  { allVersions: true },
);

/** What is sent along with a flag so that the answer ends and the flag makes a difference in it. */
const beside: Readonly<Record<string, Query>> = {
  'containers.list': { all: '1' },
  'containers.logs': { stdout: '1', stderr: '1' },
};

/** Endpoints whose answers for an ended container are complete and change nothing. */
const quiet = ['containers.list', 'containers.inspect', 'containers.logs', 'images.list'];

/** All flags of an endpoint that only reads. */
function flagsIn(api: ApiVersion) {
  return allEndpoints
    .filter(({ id }) => quiet.includes(id))
    .flatMap((endpoint) =>
      Object.entries(endpoint.parameters)
        .filter(([, parameter]) => parameter.schema.title === flag.title && holdsIn(parameter, api))
        // An ended container has nothing to follow.
        .filter(([name]) => name !== 'follow')
        .map(([name]) => ({ endpoint: endpoint.id, path: endpoint.path, name })),
    );
}

const nameOf = ({ endpoint, name }: { readonly endpoint: string; readonly name: string }) => `${endpoint} ${name}`;

/** The spellings that are compared with 1 and 0. */
const spelt = flag.enum.filter((spelling) => spelling.length > 1);

/** Up to two of the spellings of each flag, all equally likely. */
const values = (api: ApiVersion) => {
  const some = fc.uniqueArray(fc.constantFrom(...spelt), { maxLength: 2 });
  const ofEach = flagsIn(api).map((of) => [nameOf(of), some] as const);
  return fc.noBias(fc.record(Object.fromEntries(ofEach), { noNullPrototype: true }));
};

check(
  'generated.inputs.flags',
  {
    faults: [
      onlyDigits('GET /containers/json', 'all', 'size'),
      onlyDigits('GET /containers/{id}/logs', 'stdout', 'stderr', 'timestamps'),
    ],
  },
  (context) =>
    forAll(context, values(context.api), { runs: 2 }, async (asked, trial) => {
      const { engine } = trial;
      const { id } = await trial.use(ended);
      for (const of of flagsIn(engine.api)) {
        const rule = ruleOf(`${of.endpoint}.`, `${of.name}-spellings`);
        const spellings = asked[nameOf(of)] ?? [];
        if (spellings.length === 0 || !trial.holds(rule)) continue;
        const path = of.path.replace('{id}', id);
        const ask = (value: string) => engine.get(path, { ...beside[of.endpoint], [of.name]: value });
        const plains = new Map<string, Exchange>();
        for (const spelling of spellings) {
          trial.step(`asks for ${of.path} with ${of.name}=${spelling}`);
          const meant = flag.enum.indexOf(spelling) < 3 ? '1' : '0';
          const plain = plains.get(meant) ?? (await ask(meant));
          plains.set(meant, plain);
          const other = await ask(spelling);
          await trial.decides(rule, () => {
            expect(other).toHaveStatus(plain.status);
            const what = `what ${of.name}=${spelling} brings`;
            expectValue(what, ownPartOf(other, id), [plain, other]).toBe(ownPartOf(plain, id));
          });
        }
      }
    }),
);

/** Understands only 1 and 0 as flags. */
function onlyDigits(endpoint: KnownEndpoint, ...names: readonly string[]): Fault {
  const faults = names.map((name) => knowsOnly(name, '1', '0'));
  return on(endpoint, {
    name: `knows ${names.join(', ')} only as 1 and 0`,
    request: (request) =>
      faults.reduce((changed, { request: change }) => {
        const next = change?.(changed) ?? changed;
        return 'instead' in next ? changed : next;
      }, request),
  });
}

/** The part of an answer about this property's container: other clients may change the rest of a list meanwhile. */
function ownPartOf(answer: Exchange, container: string): unknown {
  // An identifier may have `json` in it, too.
  if (!/\/json(\?|$)/.test(answer.request.path)) return answer.text;
  const { json } = answer;
  if (!Array.isArray(json)) return isObject(json) ? Object.keys(json).toSorted() : json;
  const own = json.filter(isObject).filter((item) => item.Id === container);
  // The text with a container's age changes over time.
  return own.map(({ Status: _age, ...item }): JsonValue => item);
}
