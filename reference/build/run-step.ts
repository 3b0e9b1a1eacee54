import { Writable } from 'node:stream';
import { newestDocumented } from '../../specs/versions.ts';
import { Container } from '../containers/container.ts';
import { eventAttributes } from '../containers/event-attributes.ts';
import { startByClient } from '../containers/lifecycle.ts';
import { initialRoot } from '../containers/mounts/initial-root.ts';
import { resolveMounts } from '../containers/mounts/mount-points.ts';
import { initialMemberships } from '../containers/network.ts';
import { readConfig } from '../containers/settings/config.ts';
import type { HostConfig } from '../containers/settings/host-config.ts';
import type { Engine } from '../engine.ts';
import { Duct } from '../http/duct.ts';
import { Fields, type JsonObject } from '../http/fields.ts';
import { newId, newName } from '../identifiers.ts';
import type { Image } from '../images/image.ts';
import { jsonWords } from './parse.ts';

/** What a RUN runs, and where. */
export interface RunStep {
  readonly engine: Engine;
  readonly image: Image;
  /** The configuration of the image so far. */
  readonly config: JsonObject;
  /** What follows RUN. */
  readonly command: string;
  /** Build-time variables as `name=value`. */
  readonly variables: readonly string[];
  readonly hostConfig: HostConfig;
}

/** Makes the container of a RUN, without starting it. */
export function newRunContainer({ engine, image, config, command, variables, hostConfig }: RunStep): Container {
  const id = newId();
  const { OnBuild: _later, ...own } = config;
  const env = Array.isArray(own.Env) ? own.Env : [];
  const asked = readConfig(
    new Fields({ ...own, Env: [...variables, ...env], Cmd: commandOf(command), Entrypoint: [], Image: image.id }, ''),
    newestDocumented,
  );
  const full = { ...asked, Hostname: id.slice(0, 12) };
  const container = new Container({
    id,
    name: newName(),
    image,
    config: full,
    hostConfig,
    memberships: initialMemberships(engine, full, hostConfig, {}),
    // The volumes of an image are for its containers: what a RUN writes there is part of the image.
    mounts: resolveMounts(engine, hostConfig, [], image.root),
    base: initialRoot(image.root),
  });
  engine.containers.add(container);
  engine.events.emit('container', 'create', id, eventAttributes(container));
  return container;
}

/** Runs a container to its end and passes on what it writes. @returns the exit code */
export async function runToEnd(engine: Engine, container: Container, output: (text: string) => void): Promise<number> {
  const decoder = new TextDecoder();
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const text = decoder.decode(chunk, { stream: true });
      if (text !== '') output(text);
      done();
    },
  });
  const followed = { duct: new Duct(sink, undefined), stdout: true, stderr: true, framed: false, timestamps: false };
  const leave = container.hub.follow(followed);
  try {
    const ended = container.nextExit();
    startByClient(engine, container);
    return await ended;
  } finally {
    leave();
  }
}

function commandOf(text: string): string[] {
  return jsonWords(text) ?? ['/bin/sh', '-c', text];
}
