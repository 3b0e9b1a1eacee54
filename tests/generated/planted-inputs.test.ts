import { describe, expect, test, vi } from 'vitest';
import type { Generated } from '../../harness/property/generation.ts';
import type { Container } from '../../reference/containers/container.ts';
import { ContainerStore } from '../../reference/containers/store.ts';
import { Query } from '../../reference/http/query.ts';
import { VolumeStore } from '../../reference/volumes/store.ts';
import type { RuleId } from '../../specs/catalogue.ts';
import { around, failureOf, resultsOf, undone } from './planted.ts';

/** The property fails with a rule like this, and what it did was made as small as a reader would like it. */
async function expectFound(property: RuleId, rule: RegExp): Promise<Generated | undefined> {
  // In this version the lists of networks take several names.
  const failure = await failureOf(property, '1.21');
  expect(failure?.rule).toMatch(rule);
  expect(failure?.steps.length).toBeLessThanOrEqual(5);
  return failure;
}

/** Changes containers as they are added to the engine. */
function plantedInContainers(change: (container: Container) => Partial<Container>): void {
  undone();
  const { add } = ContainerStore.prototype;
  vi.spyOn(ContainerStore.prototype, 'add').mockImplementation(function (this: ContainerStore, container) {
    add.call(this, Object.assign(container, change(container)));
  });
}

describe('generated requests find', { timeout: 60_000 }, () => {
  test('labels without a value that are lost', async () => {
    plantedInContainers(({ config }) => {
      const kept = Object.entries(config.Labels).filter(([, value]) => value !== '');
      return { config: { ...config, Labels: Object.fromEntries(kept) } };
    });
    const failure = await expectFound('generated.inputs.container-config', /^containers\.create\.body\.Labels$/);
    expect(failure?.input).toMatch(/^\{"Labels":\{"[^"]+":""\}\}$/);
  });

  test('values of variables that are cut at their second =', async () => {
    plantedInContainers(({ config }) => {
      return { config: { ...config, Env: config.Env.map((line) => line.split('=').slice(0, 2).join('=')) } };
    });
    const failure = await expectFound('generated.inputs.container-config', /^containers\.create\.body\.Env$/);
    expect(failure?.input).toMatch(/^\{"Env":\["EC_[^"]+="\]\}$/);
  });

  test('ports with several ports of the host that keep only one', async () => {
    plantedInContainers(({ hostConfig }) => {
      const kept = Object.entries(hostConfig.PortBindings).map(([port, bindings]) => [port, bindings.slice(0, 1)]);
      return { hostConfig: { ...hostConfig, PortBindings: Object.fromEntries(kept) } };
    });
    await expectFound('generated.inputs.host-config', /^containers\.create\.body\.HostConfig\.PortBindings$/);
  });

  test('a name that a refused container keeps', async () => {
    undone();
    const { text } = Query.prototype;
    const { hasName } = ContainerStore.prototype;
    const asked = new Map<string, number>();
    vi.spyOn(Query.prototype, 'text').mockImplementation(function (this: Query, parameter) {
      const value = text.call(this, parameter);
      if (parameter === 'name' && value !== undefined) asked.set(value, (asked.get(value) ?? 0) + 1);
      return value;
    });
    vi.spyOn(ContainerStore.prototype, 'hasName').mockImplementation(function (this: ContainerStore, name) {
      return hasName.call(this, name) || (asked.get(name) ?? 0) > 1;
    });
    await expectFound('generated.inputs.refused-containers', /^containers\.create\.answers-201$/);
  });

  test('a spelling of a flag that is not known', async () => {
    undone();
    const { flag } = Query.prototype;
    vi.spyOn(Query.prototype, 'flag').mockImplementation(function (this: Query, name, otherwise) {
      return this.text(name) === 'True' ? false : flag.call(this, name, otherwise);
    });
    const failure = await expectFound('generated.inputs.flags', /-spellings$/);
    expect(failure?.steps).toEqual([expect.stringContaining('=True')]);
  });

  test('a filter of which only the first value counts', async () => {
    undone();
    const { filters } = Query.prototype;
    vi.spyOn(Query.prototype, 'filters').mockImplementation(function (this: Query, known) {
      return new Map([...filters.call(this, known)].map(([name, values]) => [name, values.slice(0, 1)]));
    });
    await expectFound('generated.inputs.networks', /^networks\.list\.filters-(?:name|id)$/);
  });

  test('a volume that is dangling while a container uses it', async () => {
    undone();
    const { ensure } = VolumeStore.prototype;
    vi.spyOn(VolumeStore.prototype, 'ensure').mockImplementation(function (this: VolumeStore, ...asked) {
      const volume = ensure.apply(this, asked);
      volume.users.add = () => volume.users;
      return volume;
    });
    await expectFound('generated.inputs.volumes', /^volumes\.list\.filters-dangling$/);
  });

  test('a volume that is free as soon as one of its containers is gone', async () => {
    around('DELETE /containers/{id…}', async (call, answer) => {
      const { mounts } = call.engine.containers.get(call.param('id'));
      await answer();
      for (const { volume } of mounts) volume?.users.clear();
    });
    await expectFound('generated.inputs.shared-volumes', /^volumes\.remove\.in-use-shared-answers-409$/);
  });

  test('what is lost of other containers and of networks', async () => {
    // Volumes without a name are not shared, and of several links to one container only the last stays.
    plantedInContainers(({ hostConfig, mounts }) => {
      const links = new Map(hostConfig.Links.map((link) => [link.split(':')[0], link]));
      return {
        hostConfig: { ...hostConfig, Links: [...links.values()] },
        mounts: mounts.filter(({ anonymous }) => !anonymous || hostConfig.VolumesFrom.length === 0),
      };
    });
    // A restart forgets what was asked of the networks.
    around('POST /containers/{id}/restart', async (call, answer) => {
      const { memberships } = call.engine.containers.get(call.param('id'));
      for (const name of memberships.keys()) memberships.set(name, undefined);
      await answer();
    });
    const expected = {
      'generated.inputs.shared-volumes': [
        /^containers\.create\.host-config\.volumes-from/,
        /^starts c, of which no mounts are told$/,
      ],
      'generated.inputs.joined-containers': [/\.HostConfig\.Links$/, /^creates a container with (\w) as [^,]+, \1 as /],
      'generated.inputs.network-endpoints': [/\.network-|\.address$|\{\}\.(?:IPAMConfig|Links)$/, /^restarts b$/],
    } as const;
    const results = await resultsOf(Object.keys(expected), '1.23');
    for (const [property, [rule, lastStep]] of Object.entries(expected)) {
      const { rule: found, steps = [], script } = results.get(property)?.generated ?? {};
      expect(found, property).toMatch(rule);
      expect(steps.length, steps.join('\n')).toBeLessThanOrEqual(5);
      expect(steps.at(-1)).toMatch(lastStep);
      expect(script).toMatch(/^curl |=\$\(curl /m);
    }
  });

  test('a version that does not tell what the others tell', async () => {
    around('GET /containers/{id}/json', async (call, answer) => {
      const whole = call.answer.bind(call);
      call.answer = (status, value) => {
        const { Config, ...others } = Object(value);
        whole(status, call.api === '1.20' ? { ...others, Config: { ...Config, ExposedPorts: {} } } : value);
      };
      await answer();
    });
    const failure = await expectFound('generated.versions.containers', /^versioning\.same-container$/);
    expect(failure?.input).toContain('ExposedPorts');
  });
});
