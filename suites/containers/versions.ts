import { check, fixture } from '../../harness/check.ts';
import { makeContainer } from '../../harness/engine/containers.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { given } from '../../harness/engine/given.ts';
import { expectValue } from '../../harness/expect/expect.ts';
import { valuesAt } from '../../harness/expect/json-path.ts';
import { inVersion, on } from '../../harness/faults/fault.ts';
import { setsField } from '../../harness/faults/fields.ts';
import type { JsonValue } from '../../harness/streams/json.ts';
import { NotApplicable } from '../../harness/verdict/outcomes.ts';
import { type ApiVersion, apiVersions, holdsIn } from '../../specs/versions.ts';
import { fieldRulesOf } from '../field-checks.ts';

/** What inspect says of one running container in the version that is judged, and in the others that are served. */
const inspects = fixture('inspect of one container in each version', async ({ engine, api }) => {
  const container = await makeContainer(engine, {
    state: 'running',
    config: {
      Env: ['EC=1'],
      Labels: { 'ec.one': '1' },
      ExposedPorts: { '8080/tcp': {} },
      Volumes: { '/ec-volume': {} },
      WorkingDir: '/work',
      User: 'probe',
    },
    hostConfig: { RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 3 }, ReadonlyRootfs: true },
  });
  const own = await given(container.inspect(), 200);
  const others = new Map<ApiVersion, Exchange>();
  for (const version of apiVersions.filter((version) => version !== api)) {
    const answer = await engine.request('GET', container.path('json'), { prefix: `/v${version}` });
    if (answer.status === 200) others.set(version, answer);
  }
  return { own, others };
});

/** Fields with a value of their own; what they are in is compared by them. */
const leaves = fieldRulesOf('containers.inspect.field.').filter(
  ({ field: { path } }, _index, all) =>
    !all.some((other) => /^[.[{]/.test(other.field.path.slice(path.length)) && other.field.path.startsWith(path)),
);

/** Since 1.23 identifiers of images carry the name of their digest (Document 1, Image shapes). */
function comparable(values: readonly JsonValue[]): string {
  return JSON.stringify(values).replaceAll('"sha256:', '"');
}

const inspect = 'GET /containers/{id}/json';

check(
  'versioning.same-container',
  {
    faults: [
      on(inspect, inVersion('1.20', setsField('Id', 'another'))),
      on(inspect, inVersion('1.20', setsField('State.Running', false))),
      on(inspect, inVersion('1.20', setsField('Config.Env', []))),
    ],
  },
  async ({ use, api }) => {
    const { own, others } = await use(inspects);
    if (others.size === 0) throw new NotApplicable(`the daemon serves no other of ${apiVersions.join(', ')}`);
    for (const [version, other] of others) {
      const both = leaves.filter((rule) => holdsIn(rule, api) && holdsIn(rule, version));
      const differing = both.flatMap(({ field: { path } }) => {
        const [one, two] = [valuesAt(own.json, path), valuesAt(other.json, path)];
        // A field that is missing in one of them is judged by its own rule.
        if (one.length === 0 || two.length === 0) return [];
        return comparable(one) === comparable(two) ? [] : [path];
      });
      expectValue(`fields whose values differ from those in ${version}`, differing, [own, other]).toBe([]);
    }
  },
);
