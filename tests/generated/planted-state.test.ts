import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { Container } from '../../reference/containers/container.ts';
import { ContainerStore } from '../../reference/containers/store.ts';
import { EventBus } from '../../reference/events/bus.ts';
import { ExecInstance } from '../../reference/exec/instance.ts';
import { ImageStore } from '../../reference/images/store.ts';
import { VolumeStore } from '../../reference/volumes/store.ts';
import type { RuleId } from '../../specs/catalogue.ts';
import { around, failureOf, undone } from './planted.ts';

/** A bug of the kind that engines have had, the property that finds it, and the rule that it comes to. */
interface Planted {
  readonly bug: string;
  readonly plant: () => void;
  readonly property: RuleId;
  readonly rules: readonly string[];
}

const planted: readonly Planted[] = [
  {
    bug: 'an event is lost when it follows another at once',
    property: 'generated.models.containers',
    rules: ['events.none-lost'],
    plant: () => {
      const emit = EventBus.prototype.emit;
      const ended = new Map<string, number>();
      vi.spyOn(EventBus.prototype, 'emit').mockImplementation(function (this: EventBus, ...event) {
        const [, action, id] = event;
        if (action === 'start' && performance.now() - (ended.get(id) ?? -50) < 50) return;
        if (action === 'die') ended.set(id, performance.now());
        emit.apply(this, event);
      });
    },
  },
  {
    bug: 'the list is out of step with inspect',
    property: 'generated.models.containers',
    rules: ['containers.list.states-agree', 'containers.list.status-exited', 'containers.list.all-default-false'],
    plant: () => {
      const kept = new Map<string, unknown>();
      around('GET /containers/json', async (call, answer) => {
        const known = call.engine.containers.all().map(({ id, name }) => [id, name]);
        const key = JSON.stringify([known, call.req.url]);
        const whole = call.answer.bind(call);
        call.answer = (status, value) => {
          if (!kept.has(key)) kept.set(key, value);
          whole(status, kept.get(key));
        };
        await answer();
      });
    },
  },
  {
    bug: 'the name of a removed container is freed too late',
    property: 'generated.models.containers',
    rules: ['containers.create.answers-201', 'containers.rename.answers-204'],
    plant: () => {
      const removed = new Set<string>();
      const { remove, hasName } = ContainerStore.prototype;
      vi.spyOn(ContainerStore.prototype, 'remove').mockImplementation(function (this: ContainerStore, container) {
        removed.add(container.name);
        remove.call(this, container);
      });
      vi.spyOn(ContainerStore.prototype, 'hasName').mockImplementation(function (this: ContainerStore, name) {
        return removed.has(name) || hasName.call(this, name);
      });
    },
  },
  {
    bug: 'the old name of a renamed container stays taken',
    property: 'generated.models.containers',
    rules: ['containers.create.answers-201', 'containers.rename.answers-204'],
    plant: () => {
      const old = new Set<string>();
      const { rename, hasName } = ContainerStore.prototype;
      vi.spyOn(ContainerStore.prototype, 'rename').mockImplementation(function (this: ContainerStore, container, name) {
        old.add(container.name);
        rename.call(this, container, name);
      });
      vi.spyOn(ContainerStore.prototype, 'hasName').mockImplementation(function (this: ContainerStore, name) {
        return old.has(name) || hasName.call(this, name);
      });
    },
  },
  {
    bug: 'the exit code is lost when a container is started again',
    property: 'generated.models.containers',
    rules: ['containers.wait.exit-code', 'containers.inspect.field.State.ExitCode'],
    plant: () => {
      const ended = new Set<Container>();
      const announce = Container.prototype.announceExit;
      vi.spyOn(Container.prototype, 'announceExit').mockImplementation(function (this: Container, code) {
        if (ended.has(this)) this.state.exitCode = 0;
        ended.add(this);
        announce.call(this, this.state.exitCode === 0 ? 0 : code);
      });
    },
  },
  {
    bug: 'a counter of info is not decreased',
    property: 'generated.models.together',
    rules: ['system.info.field.Containers'],
    plant: () => {
      let most = 0;
      around('GET /info', async (call, answer) => {
        const whole = call.answer.bind(call);
        call.answer = (status, value) => {
          most = Math.max(most, call.engine.containers.all().length);
          whole(status, { ...Object(value), Containers: most });
        };
        await answer();
      });
    },
  },
  {
    bug: 'a volume without a name is left behind',
    property: 'generated.models.volumes',
    rules: ['containers.remove.v-removes-volumes'],
    plant: () => {
      const remove = VolumeStore.prototype.remove;
      vi.spyOn(VolumeStore.prototype, 'remove').mockImplementation(function (this: VolumeStore, name) {
        if (!/^[0-9a-f]{64}$/.test(name)) remove.call(this, name);
      });
    },
  },
  {
    bug: 'a volume stays in use when its container is gone',
    property: 'generated.models.volumes',
    rules: ['volumes.list.filters-dangling', 'volumes.remove.answers-204'],
    plant: () =>
      around('DELETE /containers/{id…}', async (call, answer) => {
        const container = call.engine.containers.get(call.param('id'));
        await answer();
        for (const { volume } of container.mounts) volume?.users.add(container.id);
      }),
  },
  {
    bug: 'a network keeps a container that is removed while it runs',
    property: 'generated.models.networks',
    rules: ['networks.disconnect.disconnected'],
    plant: () =>
      around('DELETE /containers/{id…}', async (call, answer) => {
        const container = call.engine.containers.get(call.param('id'));
        const kept = container.endpoints;
        await answer();
        for (const endpoint of kept) endpoint.network.endpoints.set(container.id, endpoint);
      }),
  },
  {
    bug: 'a network goes on to tell a container that was disconnected',
    property: 'generated.models.networks',
    rules: ['networks.disconnect.disconnected'],
    plant: () =>
      around('POST /networks/{id}/disconnect', async (call, answer) => {
        const network = call.engine.networks.get(call.param('id'));
        const before = [...network.endpoints];
        await answer();
        for (const [container, endpoint] of before) network.endpoints.set(container, endpoint);
      }),
  },
  {
    bug: 'a name that was taken from an image still finds it',
    property: 'generated.models.images',
    rules: ['images.list.field.RepoTags', 'images.inspect.field.RepoTags', 'images.remove.image-gone'],
    plant: () => {
      const untag = ImageStore.prototype.untag;
      vi.spyOn(ImageStore.prototype, 'untag').mockImplementation(function (this: ImageStore, tag) {
        const id = this.find(tag)?.id;
        if (id === undefined || this.tags(id).length !== 2) untag.call(this, tag);
      });
    },
  },
  {
    bug: 'the exit code of a command is forgotten when another ends',
    property: 'generated.models.exec',
    rules: ['exec.inspect.exit-code'],
    plant: () =>
      vi.spyOn(ExecInstance.prototype, 'exitCode', 'get').mockImplementation(function (this: ExecInstance) {
        const last = this.container.execs.findLast(({ finished }) => finished);
        return last === this ? (this.process?.exitCode ?? 0) : 0;
      }),
  },
  {
    bug: 'a container that is removed while it starts comes back',
    property: 'generated.models.parallel',
    rules: ['containers.remove.container-gone', 'containers.list.all-true'],
    plant: () =>
      around('POST /containers/{id}/start', async (call, answer) => {
        const container = call.engine.containers.get(call.param('id'));
        await delay(20);
        if (!call.engine.containers.find(container.id)) call.engine.containers.add(container);
        await answer();
      }),
  },
  {
    bug: 'two clients create a container of the same name at the same time',
    property: 'generated.models.parallel',
    rules: ['containers.create.name-taken-409', 'containers.list.all-true'],
    plant: () => {
      const since = new Map<string, number>();
      const { add, hasName } = ContainerStore.prototype;
      vi.spyOn(ContainerStore.prototype, 'add').mockImplementation(function (this: ContainerStore, container) {
        since.set(container.name, performance.now());
        add.call(this, container);
      });
      vi.spyOn(ContainerStore.prototype, 'hasName').mockImplementation(function (this: ContainerStore, name) {
        return hasName.call(this, name) && performance.now() - (since.get(name) ?? 0) > 30;
      });
    },
  },
  {
    bug: 'a network goes on to tell a container that one of two clients disconnected',
    property: 'generated.models.parallel-networks',
    rules: ['networks.connect.connected', 'networks.disconnect.disconnected'],
    plant: () =>
      around('POST /networks/{id}/disconnect', async (call, answer) => {
        const { endpoints } = call.engine.networks.get(call.param('id'));
        const before = [...endpoints];
        await answer();
        for (const [container, endpoint] of before) endpoints.set(container, endpoint);
      }),
  },
  {
    bug: 'a name that was just given to an image is not taken away',
    property: 'generated.models.parallel-images',
    rules: ['images.remove.image-gone', 'images.tag.tag'],
    plant: () => {
      const since = new Map<string, number>();
      const { tag, untag } = ImageStore.prototype;
      vi.spyOn(ImageStore.prototype, 'tag').mockImplementation(function (this: ImageStore, id, name) {
        since.set(name, performance.now());
        tag.call(this, id, name);
      });
      vi.spyOn(ImageStore.prototype, 'untag').mockImplementation(function (this: ImageStore, name) {
        if (performance.now() - (since.get(name) ?? 0) > 5_000) untag.call(this, name);
      });
    },
  },
  {
    bug: 'a command that is started twice at the same time forgets its exit code',
    property: 'generated.models.parallel-exec',
    rules: ['exec.start.runs-command', 'exec.inspect.exit-code'],
    plant: () => {
      const started = new Map<string, number>();
      around('POST /exec/{id}/start', async (call, answer) => {
        const id = call.param('id');
        started.set(id, (started.get(id) ?? 0) + 1);
        await answer();
      });
      const original = Object.getOwnPropertyDescriptor(ExecInstance.prototype, 'exitCode')?.get;
      vi.spyOn(ExecInstance.prototype, 'exitCode', 'get').mockImplementation(function (this: ExecInstance) {
        return (started.get(this.id) ?? 0) > 1 ? 0 : original?.call(this);
      });
    },
  },
];

describe.each(planted)('$bug', ({ plant, property, rules }) => {
  test(`is found by ${property}, in no more than five steps`, { timeout: 120_000 }, async () => {
    undone();
    plant();
    const found = await failureOf(property);
    expect(rules).toContain(found?.rule);
    expect(found?.steps.length, found?.steps.join('\n')).toBeLessThanOrEqual(5);
  });
});
