import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import Docker from 'dockerode';
import { pack } from 'tar-stream';
import { probeImage } from '../../../harness/probe/image.ts';
import { plain } from './plain.ts';

const image = 'ec-dockerode:1';

/**
 * A day of work with dockerode: it loads, builds, runs, attaches, copies, follows and saves, and takes everything away.
 * @param socketPath the daemon
 * @returns what came of each step, without what differs from day to day
 */
export async function dayOfDockerode(socketPath: string): Promise<string[]> {
  const docker = new Docker({ socketPath, version: 'v1.23' });
  const told: string[] = [];
  const tell = (what: string, came: unknown) => {
    told.push(plain(`${what}: ${typeof came === 'string' ? came : JSON.stringify(came)}`));
  };
  const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';
  const { tar } = await probeImage({ architecture, tag: image });
  tell('load', await text(await docker.loadImage(PassThrough.from([tar]))));
  tell('build', await text(await docker.buildImage(await contextOf(image), { t: 'ec-dockerode-built:1' })));
  tell('ping', String(await docker.ping()));

  const container = await docker.createContainer({
    ...{ Image: image, Cmd: ['echo'], name: 'ec-dockerode' },
    ...{ OpenStdin: true, StdinOnce: true, AttachStdin: true, AttachStdout: true, AttachStderr: true },
  });
  const attached = await container.attach({ stream: true, stdin: true, stdout: true, stderr: true, hijack: true });
  const output = outputOf(docker, attached);
  await container.start();
  attached.end('through a hijacked connection\n'.repeat(2_000));
  tell('attach', await output);
  tell('wait', await container.wait());
  tell('inspect', (await container.inspect()).State.ExitCode);

  const staying = await docker.createContainer({
    Image: image,
    Cmd: ['out', 'begun\\n', 'forever'],
    name: 'ec-staying',
  });
  const events = await docker.getEvents();
  const event = once(events, 'data');
  await staying.start();
  tell('an event', Object(JSON.parse(String((await event)[0]))).Type);
  Object(events).destroy();
  const exec = await staying.exec({
    Cmd: ['/probe', 'echo'],
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
  });
  const running = await exec.start({ hijack: true, stdin: true });
  const ran = outputOf(docker, running);
  running.end('to a command\n');
  tell('exec', await ran);
  tell('exec inspect', (await exec.inspect()).ExitCode);
  await staying.putArchive(await archiveOf({ 'ec-put': 'put there' }), { path: '/data' });
  tell('get archive', (await text(await staying.getArchive({ path: '/data/ec-put' }))).includes('put there'));
  const logs = await staying.logs({ follow: true, stdout: true, stderr: true });
  const followed = outputOf(docker, logs);
  tell(
    'list',
    (await docker.listContainers()).map(({ Names }) => Names),
  );
  await staying.kill();
  tell('logs', await followed);
  tell('save', (await buffer(await docker.getImage(image).get())).length > tar.length / 2);
  tell(
    'a missing one',
    await docker
      .getContainer('ec-is-not-there')
      .inspect()
      .catch(({ statusCode }) => statusCode),
  );
  for (const one of [container, staying]) await one.remove({ force: true });
  for (const one of ['ec-dockerode-built:1', image]) await docker.getImage(one).remove({ force: true });
  return told;
}

/** What the frames of a stream carry, until it ends. */
async function outputOf(docker: Docker, stream: NodeJS.ReadableStream): Promise<string> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  docker.modem.demuxStream(stream, stdout, stderr);
  stream.once('end', () => {
    stdout.end();
    stderr.end();
  });
  return (await Promise.all([text(stdout), text(stderr)])).join('');
}

function contextOf(base: string): Promise<NodeJS.ReadableStream> {
  return archiveOf({ Dockerfile: `FROM ${base}\nCOPY note /data/\n`, note: 'noted\n' });
}

async function archiveOf(files: Readonly<Record<string, string>>): Promise<NodeJS.ReadableStream> {
  const stream = pack();
  const bytes = buffer(stream);
  for (const [name, content] of Object.entries(files)) stream.entry({ name }, content);
  stream.finalize();
  return PassThrough.from([await bytes]);
}
