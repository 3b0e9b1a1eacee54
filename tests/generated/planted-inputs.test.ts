import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Result, RunHandler } from '../../harness/events.ts';
import { run } from '../../harness/runner/run.ts';
import { parseAddress } from '../../harness/target/address.ts';
import type { Container } from '../../reference/containers/container.ts';
import { ContainerStore } from '../../reference/containers/store.ts';
import { Call } from '../../reference/http/call.ts';
import { Query } from '../../reference/http/query.ts';
import { startReferenceEngine } from '../../reference/index.ts';
import { VolumeStore } from '../../reference/volumes/store.ts';
import type { ApiVersion } from '../../specs/versions.ts';
import { optionsFor } from '../harness/run-options.ts';
import { newSocketPath } from '../harness/servers.ts';

/** Runs one property as a user does, on an engine with a bug in it, in one version. */
async function found(property: string, api: ApiVersion): Promise<Result | undefined> {
  const socketPath = newSocketPath();
  const engine = await startReferenceEngine({ listen: { socketPath } });
  onTestFinished(() => engine.close());
  const results: Result[] = [];
  const handler: RunHandler = (event) => {
    if (event.type === 'verdict') results.push(event.result);
  };
  const entry = fileURLToPath(new URL('../../suites/entry.ts', import.meta.url));
  const options = { entry, apis: [api], handlers: [handler], timeoutMs: 30_000, maxMs: 60_000 };
  await run(optionsFor(parseAddress(`unix://${socketPath}`), [property], options));
  return results.find(({ rule }) => rule === property);
}

/** The property fails with this rule, and what it did was made as small as a reader would like it. */
async function expectFound(property: string, rule: string, api: ApiVersion = '1.21'): Promise<Result> {
  const result = await found(property, api);
  expect(result).toMatchObject({ verdict: 'fail', generated: { rule } });
  expect(result?.generated?.steps.length).toBeLessThanOrEqual(5);
  if (!result) throw new Error('there is no result');
  return result;
}

/** Changes containers as they are added to the engine. */
function plantedInContainers(change: (container: Container) => Partial<Container>): void {
  const { add } = ContainerStore.prototype;
  const planted = vi.spyOn(ContainerStore.prototype, 'add').mockImplementation(function (
    this: ContainerStore,
    container,
  ) {
    add.call(this, Object.assign(container, change(container)));
  });
  onTestFinished(() => planted.mockRestore());
}

describe('generated requests find', () => {
  test('labels without a value that are lost', async () => {
    plantedInContainers(({ config }) => ({
      config: {
        ...config,
        Labels: Object.fromEntries(Object.entries(config.Labels).filter(([, value]) => value !== '')),
      },
    }));
    const { generated } = await expectFound('generated.inputs.container-config', 'containers.create.body.Labels');
    expect(generated?.input).toMatch(/^\{"Labels":\{"[^"]+":""\}\}$/);
  });

  test('values of variables that are cut at their second =', async () => {
    plantedInContainers(({ config }) => ({
      config: { ...config, Env: config.Env.map((line) => line.split('=').slice(0, 2).join('=')) },
    }));
    const { generated } = await expectFound('generated.inputs.container-config', 'containers.create.body.Env');
    expect(generated?.input).toMatch(/^\{"Env":\["EC_[^"]+=/);
  });

  test('ports with several ports of the host that keep only one', async () => {
    plantedInContainers(({ hostConfig }) => ({
      hostConfig: {
        ...hostConfig,
        PortBindings: Object.fromEntries(
          Object.entries(hostConfig.PortBindings).map(([port, bindings]) => [port, bindings.slice(0, 1)]),
        ),
      },
    }));
    await expectFound('generated.inputs.host-config', 'containers.create.body.HostConfig.PortBindings');
  });

  test('a name that a refused container keeps', async () => {
    const { text } = Query.prototype;
    const { hasName } = ContainerStore.prototype;
    const asked = new Map<string, number>();
    const query = vi.spyOn(Query.prototype, 'text').mockImplementation(function (this: Query, parameter) {
      const value = text.call(this, parameter);
      if (parameter === 'name' && value !== undefined) asked.set(value, (asked.get(value) ?? 0) + 1);
      return value;
    });
    const store = vi.spyOn(ContainerStore.prototype, 'hasName').mockImplementation(function (
      this: ContainerStore,
      name,
    ) {
      return hasName.call(this, name) || (asked.get(name) ?? 0) > 1;
    });
    onTestFinished(() => {
      query.mockRestore();
      store.mockRestore();
    });
    await expectFound('generated.inputs.refused-containers', 'containers.create.answers-201');
  });

  test('a spelling of a flag that is not known', async () => {
    const { flag } = Query.prototype;
    const planted = vi.spyOn(Query.prototype, 'flag').mockImplementation(function (this: Query, name, otherwise) {
      return this.text(name) === 'True' ? false : flag.call(this, name, otherwise);
    });
    onTestFinished(() => planted.mockRestore());
    const result = await expectFound('generated.inputs.flags', expect.stringMatching(/-spellings$/));
    expect(result.generated?.steps).toEqual([expect.stringContaining('=True')]);
  });

  test('a filter of which only the first value counts', async () => {
    const { filters } = Query.prototype;
    const planted = vi.spyOn(Query.prototype, 'filters').mockImplementation(function (this: Query, known) {
      const all = filters.call(this, known);
      return new Map([...all].map(([name, values]) => [name, values.slice(0, 1)]));
    });
    onTestFinished(() => planted.mockRestore());
    await expectFound('generated.inputs.networks', expect.stringMatching(/^networks\.list\.filters-(?:name|id)$/));
  });

  test('a volume that is dangling while a container uses it', async () => {
    const { ensure } = VolumeStore.prototype;
    const planted = vi.spyOn(VolumeStore.prototype, 'ensure').mockImplementation(function (
      this: VolumeStore,
      ...asked
    ) {
      const volume = ensure.apply(this, asked);
      volume.users.add = () => volume.users;
      return volume;
    });
    onTestFinished(() => planted.mockRestore());
    await expectFound('generated.inputs.volumes', 'volumes.list.filters-dangling');
  });

  test('a version that does not tell what the others tell', async () => {
    const { answer } = Call.prototype;
    const planted = vi.spyOn(Call.prototype, 'answer').mockImplementation(function (this: Call, status, body) {
      const { Config } = Object(body);
      const shown = this.api === '1.20' && Config ? { ...Object(body), Config: { ...Config, ExposedPorts: {} } } : body;
      return answer.call(this, status, shown);
    });
    onTestFinished(() => planted.mockRestore());
    const { generated } = await expectFound('generated.versions.containers', 'versioning.same-container');
    expect(generated?.input).toContain('ExposedPorts');
  });
});
