import { text } from 'node:stream/consumers';
import type Dockerode from 'dockerode';
import { describe, expect, test } from 'vitest';

/** The engine as a whole, its events, volumes and networks. */
export function system(api: () => Dockerode): void {
  describe('system', () => {
    test('ping, version, info', async () => {
      expect(String(await api().ping())).toBe('OK');
      expect(await api().version()).toMatchObject({ ApiVersion: '1.23', Os: 'linux' });
      expect(await api().info()).toMatchObject({ OperatingSystem: 'reference engine', ContainersRunning: 0 });
    });

    test('events that were', async () => {
      const container = await api().createContainer({ name: 'eventful', Image: 'day/app:1', Labels: { day: 'node' } });
      await container.remove();
      const until = Math.floor(Date.now() / 1000) + 1;
      const stream = await api().getEvents({ since: until - 600, until, filters: { label: ['day=node'] } });
      const events = (await text(stream)).trim().split(/\r?\n/);
      expect(events.map((line): unknown => JSON.parse(line))).toMatchObject([
        { Type: 'container', Action: 'create' },
        { Type: 'container', Action: 'destroy' },
      ]);
    });

    test('volumes', async () => {
      await api().createVolume({ Name: 'box', Labels: { a: 'b' } });
      const volume = api().getVolume('box');
      expect(await volume.inspect()).toMatchObject({ Name: 'box', Driver: 'local', Labels: { a: 'b' } });
      expect((await api().listVolumes()).Volumes.map(({ Name }) => Name)).toEqual(['box']);
      await volume.remove();
      await expect(volume.inspect()).rejects.toMatchObject({ statusCode: 404 });
    });

    test('networks', async () => {
      const network = await api().createNetwork({ Name: 'street' });
      const container = await api().createContainer({ name: 'guest', Image: 'day/app:1', Cmd: ['forever'] });
      await container.start();
      await network.connect({ Container: 'guest' });
      expect(await network.inspect()).toMatchObject({
        Name: 'street',
        Containers: { [container.id]: { Name: 'guest' } },
      });
      await network.disconnect({ Container: 'guest' });
      expect((await api().listNetworks()).map(({ Name }) => Name)).toContain('street');
      await container.remove({ force: true });
      await network.remove();
    });
  });
}
