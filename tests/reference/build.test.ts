import { setTimeout as later } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withSuiteServer } from '../../harness/suite-server/server.ts';
import { parseAddress } from '../../harness/target/address.ts';
import { bzip2Context, xzContext } from '../../suites/build/support/compressed-contexts.ts';
import { gitRepository } from '../../suites/build/support/git-repository.ts';
import { startEngine, type TestEngine, tar } from './client.ts';

const nowhere = parseAddress('unix:///nowhere');

let engine: TestEngine;

beforeAll(async () => {
  engine = await startEngine();
});

afterAll(() => engine.close());

interface Output {
  readonly status: number;
  readonly text: string;
  readonly objects: readonly Readonly<Record<string, unknown>>[];
}

async function buildWith(context: Buffer, query = ''): Promise<Output> {
  const { status, text } = await engine.send('POST', `/v1.23/build?t=built${query}`, context);
  const lines = text.split('\r\n').filter((line) => line !== '');
  return { status, text, objects: lines.map((line): Output['objects'][number] => JSON.parse(line)) };
}

async function build(instructions: readonly string[], files: Record<string, string | Buffer> = {}, query = '') {
  return buildWith(await tar({ Enginefile: ['FROM probe', ...instructions, ''].join('\n'), ...files }), query);
}

const run = (...steps: readonly string[]) => `RUN ${JSON.stringify(['/probe', ...steps])}`;
const said = ({ objects }: Output) => objects.map(({ stream }) => stream ?? '').join('');

async function config(): Promise<unknown> {
  return (await engine.send('GET', '/v1.23/images/built/json')).at('Config');
}

const inBuilt = (...steps: readonly string[]) => engine.output(steps, { Image: 'built', Entrypoint: ['/probe'] });

describe('a build', () => {
  it('runs instructions one after another, each over the files of the one before', async () => {
    const output = await build([run('write', '/a', 'one'), run('append', '/a', ' two'), run('remove', '/etc/group')]);
    expect(output.status).toBe(200);
    expect(said(output)).toMatch(/Successfully built [0-9a-f]{12}\nSuccessfully tagged built:latest\n$/);
    expect(await inBuilt('read', '/a', 'exists', '/etc/group')).toBe('one twono\n');
  });

  it('makes the configuration of the image', async () => {
    await build([
      'MAINTAINER Some One',
      'ENV A=1 B="two words"',
      'ENV C 3',
      'LABEL from=$A \\',
      '  # a comment within',
      `  other="\${B}"`,
      'EXPOSE 80 53/udp',
      'VOLUME /kept',
      'USER probe',
      'WORKDIR /work',
      'WORKDIR inner/$A',
      'ENTRYPOINT ["/probe", "out"]',
      'CMD text',
      'STOPSIGNAL SIGUSR1',
    ]);
    expect(await config()).toMatchObject({
      Env: expect.arrayContaining(['A=1', 'B=two words', 'C=3']),
      Labels: { from: '1', other: 'two words' },
      ExposedPorts: { '80/tcp': {}, '53/udp': {} },
      Volumes: { '/kept': {} },
      User: 'probe',
      WorkingDir: '/work/inner/1',
      Entrypoint: ['/probe', 'out'],
      Cmd: ['/bin/sh', '-c', 'text'],
    });
    expect((await engine.send('GET', '/v1.23/images/built/json')).at('Author')).toBe('Some One');
  });

  it('copies files, directories and what a pattern matches, and unpacks archives that are added', async () => {
    const packed = gzipSync(await tar({ 'in/packed': 'p' }));
    const files = { 'one.txt': '1', 'two.txt': '2', 'dir/inner/file': 'f', 'packed.tgz': packed };
    const copies = [
      'COPY one.txt /as',
      'COPY *.txt /texts/',
      'COPY dir /dir',
      'ADD packed.tgz /un',
      'COPY packed.tgz /',
    ];
    const output = await build(copies, files);
    expect(said(output)).toContain('Successfully built');
    const reads = ['/as', '/texts/one.txt', '/texts/two.txt', '/dir/inner/file', '/un/in/packed'];
    expect(await inBuilt(...reads.flatMap((path) => ['read', path]), 'exists', '/packed.tgz')).toBe('112fpyes\n');
  });

  it('gives build-time variables to RUN and to what is expanded, and to no container of the image', async () => {
    const query = `&buildargs=${encodeURIComponent('{"ARG":"given","UNKNOWN":"x"}')}`;
    const output = await build(['ARG ARG', 'ARG OTHER=default', 'LABEL it=$ARG/$OTHER', run('env')], {}, query);
    expect(said(output)).toContain('ARG=given\nOTHER=default\n');
    expect(said(output)).not.toContain('UNKNOWN');
    expect(await config()).toMatchObject({ Labels: { it: 'given/default' } });
    expect(await inBuilt('env')).not.toContain('ARG=');
  });

  it('uses what it made before until something changes', async () => {
    const instructions = ['COPY file /file', run('out', '\\x72an\\n')];
    const first = await build(instructions, { file: '1' });
    const again = await build(instructions, { file: '1' });
    const changed = await build(instructions, { file: '2' });
    const asked = await build(instructions, { file: '1' }, '&nocache=1');
    expect([first, again, changed, asked].map((output) => said(output).includes('\nran\n'))).toEqual([
      true,
      false,
      true,
      true,
    ]);
    expect(said(again)).toContain('Using cache');
  });

  it.each([
    ['bzip2', bzip2Context],
    ['xz', xzContext],
  ])('reads a context compressed with %s', async (_name, context) => {
    const output = await buildWith(context);
    expect(said(output)).toContain('Successfully built');
    const { text } = await engine.send('GET', '/v1.23/images/get?names=built');
    expect(text).toContain('ec-file');
  });

  it.each([
    ['gzip', Buffer.from([0x1f, 0x8b, 1, 2, 3])],
    ['bzip2', bzip2Context.subarray(0, 100)],
    ['xz', xzContext.subarray(0, 100)],
    ['nothing', Buffer.from('no archive at all')],
  ])('refuses a broken context compressed with %s', async (_name, context) => {
    expect((await buildWith(context)).status).toBe(500);
  });
});

describe('a build from an address', () => {
  const from = (address: string) => engine.send('POST', `/v1.23/build?t=built&remote=${encodeURIComponent(address)}`);

  it('takes a Git repository, object by object', async () => {
    const files = gitRepository({ Enginefile: 'FROM probe\nCOPY kept /from-git\n', kept: 'in git' });
    await withSuiteServer(nowhere, async (server) => {
      const address = server.offerDirectory('context.git', files);
      expect((await from(address)).text).toContain('Successfully built');
      expect(await inBuilt('read', '/from-git')).toBe('in git');
      expect((await from(`${address}#master`)).text).toContain('Successfully built');
      expect((await from(`${address}#other`)).status).toBe(500);
      expect((await from(`${address}#master:directory`)).status).toBe(500);
    });
  });

  it.each(['ftp://127.0.0.1/file', 'nonsense'])('refuses %j', async (address) => {
    expect((await from(address)).status).toBe(500);
  });

  it('refuses a file that is not there', async () => {
    await withSuiteServer(nowhere, async (server) => {
      const address = server.offer({ name: 'file', contentType: 'text/plain', content: 'FROM probe\n' });
      expect((await from(address)).status).toBe(200);
      expect((await from(`${address}-not`)).status).toBe(500);
    });
  });
});

describe('a build that fails', () => {
  it.each([
    ['FROBNICATE x', /line 3: unknown instruction: FROBNICATE/],
    ['RUN', /line 3: RUN needs an argument/],
    ['COPY one', /line 3: COPY needs a source/],
    ['ENV =x', /line 3/],
    ['FROM probe', /only one FROM/],
  ])('refuses %j before anything is run', async (line, message) => {
    const { status, text } = await build([run('out', '\\x72an\\n'), line]);
    expect(status).toBe(500);
    expect(text).toMatch(message);
  });

  it('tells the code of the RUN', async () => {
    const { status, objects } = await build([run('exit', '7')]);
    expect(status).toBe(200);
    expect(objects.at(-1)).toMatchObject({
      error: expect.stringContaining('non-zero code: 7'),
      errorDetail: { code: 7, message: expect.stringContaining('/probe exit 7') },
    });
  });

  it.each(['COPY missing /', 'FROM nothing', 'RUN nothing'])('tells what is wrong in %j', async (line) => {
    const file = line.startsWith('FROM') ? line : `FROM probe\n${line}`;
    const { objects } = await buildWith(await tar({ Enginefile: file }));
    expect(objects.at(-1)).toMatchObject({ error: expect.any(String), errorDetail: { message: expect.any(String) } });
  });

  it.each([
    ['', 0, 0],
    ['&rm=0', 0, 1],
    ['&rm=1', 7, 1],
    ['&rm=0&forcerm=1', 0, 0],
    ['&forcerm=1', 7, 0],
  ])('with %j and the exit code %i leaves %i containers', async (query, code, left) => {
    const label = `left=${encodeURIComponent(query)}-${code}`;
    await build([`LABEL ${label}`, run('exit', `${code}`)], {}, query);
    const filters = encodeURIComponent(JSON.stringify({ label: [label] }));
    const { json } = await engine.send('GET', `/v1.23/containers/json?all=1&filters=${filters}`);
    expect(json).toHaveLength(left);
  });

  it('is given up when the client goes', async () => {
    const context = await tar({ Enginefile: `FROM probe\nLABEL gone=1\n${run('out', 'on\\n', 'forever')}\n` });
    const head = ['POST /v1.23/build?t=gone HTTP/1.1', `Content-Length: ${context.length}`];
    const stream = await engine.raw(head, context);
    await stream.until('{"stream":"on\\n"}');
    stream.socket.destroy();
    const filters = encodeURIComponent(JSON.stringify({ label: ['gone=1'] }));
    for (let tries = 0; tries < 100; tries++) {
      const { json } = await engine.send('GET', `/v1.23/containers/json?all=1&filters=${filters}`);
      if (Array.isArray(json) && json.length === 0) break;
      await later(10);
    }
    expect((await engine.send('GET', `/v1.23/containers/json?all=1&filters=${filters}`)).json).toEqual([]);
    expect((await engine.send('GET', '/v1.23/images/gone/json')).status).toBe(404);
  });
});
