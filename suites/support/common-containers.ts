import { type Fixture, type FixtureContext, fixture } from '../../harness/check.ts';
import { Container } from '../../harness/engine/container.ts';
import { type ContainerOptions, makeContainer } from '../../harness/engine/containers.ts';
import { settled } from '../../harness/engine/given.ts';
import { saying } from '../../harness/engine/output.ts';
import { ifThere } from './shared-results.ts';

/**
 * A container that checks share. It has no operation that would change what others see of it: a check that stops,
 * renames or removes a container, or changes its files, makes its own.
 */
export type CommonContainer = Pick<
  Container,
  'id' | 'name' | 'path' | 'inspect' | 'inspectUntil' | 'logs' | 'openLogs' | 'attach' | 'wait' | 'hasWritten'
>;

/** The fixture of a shared container. @see useCommon */
export type Common = Fixture<Pick<Container, 'id' | 'name'>>;

/** What the author of a check has at hand; the context of a fixture has it as well. */
type Context = Pick<FixtureContext, 'engine' | 'use'>;

/**
 * Declares a container that is made once for all checks that use it, in all versions: its options mean the same in each
 * of them.
 * @param what it is, in words
 * @param written a text to wait for in the output of its process, followed by a line end; true: anything in the log of
 * one that ends
 */
export function commonContainer(what: string, options: ContainerOptions, written?: string | true): Common {
  const make = async ({ engine }: Pick<Context, 'engine'>) => {
    const container = await makeContainer(engine, options);
    if (written !== undefined && options.state === 'exited') await hasLogged(container, written);
    else if (typeof written === 'string') await container.hasWritten(written);
    return { id: container.id, name: container.name };
  };
  return fixture(what, make, { allVersions: (made) => made });
}

/** Waits a moment until the log of a container that has ended has a text in its last line, or anything. */
export async function hasLogged(container: Container, written: string | true): Promise<void> {
  const isWhole = written === true ? undefined : saying(written);
  // What is answered, or that nothing is, the checks judge.
  await ifThere(settled(container.logs({ stdout: true, stderr: true, tail: 1 }, isWhole), 'reading the log'));
}

/** The container as a check sees it: what the check opens on it is closed when the check ends. */
export async function useCommon({ engine, use }: Context, common: Common): Promise<CommonContainer> {
  const { id, name } = await use(common);
  return new Container(engine, id, name);
}

/** Waits forever and writes nothing. No check runs commands in it; another container is for that. */
export const idle = commonContainer('a running container', { state: 'running', network: 'own' });

/** Was never started. */
export const created = commonContainer('a created container', {});

/** Has ended with the exit code 42, which nothing else uses. */
export const exited = commonContainer('a container that has ended', { run: ['exit', '42'], state: 'exited' });

/** Has ended with the exit code 0. */
export const succeeded = commonContainer('a container that has succeeded', { state: 'exited' });

/** Has written a file and removed another, and ended. */
export const writer = commonContainer('a container that has written and removed a file', {
  run: ['write', '/ec-written', 'some bytes', 'remove', '/etc/group'],
  state: 'exited',
});

export const paused = commonContainer('a paused container', { state: 'paused' });

/** Runs with a published port and a volume, and has written a file. */
export const rich = commonContainer(
  'a running container with a port, a volume and a file',
  {
    run: ['write', '/ec-written', 'some bytes', 'out', 'ready\\n', 'forever'],
    state: 'running',
    config: { ExposedPorts: { '8080/tcp': {} }, Volumes: { '/ec-volume': {} } },
    hostConfig: { PortBindings: { '8080/tcp': [{ HostPort: '' }] } },
  },
  'ready',
);

/** Has a terminal whose size and output are never judged. */
export const terminal = commonContainer('a running container with a terminal', {
  state: 'running',
  config: { Tty: true, OpenStdin: true },
});

/** Checks run commands in it, none of which affects the others. */
export const host = commonContainer('a running container for commands', { state: 'running', network: 'own' });
