import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { test, vi } from 'vitest';
import { readTar } from '../../harness/engine/tar.ts';
import { EngineError } from '../../reference/errors.ts';
import { around, expectVerdicts } from '../generated/planted.ts';

const patience = { timeout: 60_000 };

/** Refuses with another status where the reference engine refuses with this one. */
function refusesOtherwise(endpoint: string, from: number, to: number): void {
  around(endpoint, async (_call, answer) => {
    try {
      await answer();
    } catch (error) {
      throw error instanceof EngineError && error.status === from ? new EngineError(to, error.message) : error;
    }
  });
}

/** Gives the texts of errors in a stream in their details alone. */
function tellsDetailsAlone(endpoint: string): void {
  around(endpoint, ({ res }, answer) => {
    const shortened = (text: unknown) =>
      typeof text === 'string' ? text.replaceAll(/,"error":"(?:[^"\\]|\\.)*"/g, '') : text;
    const { write, end } = res;
    vi.spyOn(res, 'write').mockImplementation((text: unknown) => write.call(res, shortened(text), 'utf8'));
    vi.spyOn(res, 'end').mockImplementation((text?: unknown) => end.call(res, shortened(text), 'utf8'));
    return answer();
  });
}

/** Has the layers of an archive as a registry has them, compressed and named by their digests in a manifest. */
async function packed(archive: Buffer): Promise<Buffer> {
  const entries = await readTar(archive);
  const changed = pack();
  const bytes = buffer(changed);
  const layers = entries.filter(({ name }) => name.endsWith('/layer.tar')).map(({ content }) => gzipSync(content));
  const named = layers.map((layer) => ({ layer, digest: createHash('sha256').update(layer).digest('hex') }));
  for (const { layer, digest } of named) changed.entry({ name: `blobs/sha256/${digest}` }, layer);
  const manifest = [{ Layers: named.map(({ digest }) => `blobs/sha256/${digest}`) }];
  changed.entry({ name: 'manifest.json' }, JSON.stringify(manifest));
  const names = entries.find(({ name }) => name === 'repositories');
  if (names) changed.entry({ name: 'repositories' }, names.content);
  changed.finalize();
  return bytes;
}

function packsLayers(endpoint: string): void {
  around(endpoint, async ({ res }, answer) => {
    const given: { body?: unknown } = {};
    const head = vi.spyOn(res, 'writeHead').mockReturnValue(res);
    const end = vi.spyOn(res, 'end').mockImplementation((body: unknown) => {
      given.body = body;
      return res;
    });
    const heads = head.mock.calls;
    try {
      await answer();
    } finally {
      head.mockRestore();
      end.mockRestore();
    }
    const [status = 200, headers] = heads[0] ?? [];
    const { body } = given;
    const isArchive = JSON.stringify(headers).includes('application/x-tar');
    if (!isArchive || !Buffer.isBuffer(body)) return void res.writeHead(status, headers).end(body);
    res.writeHead(200, { 'Content-Type': 'application/x-tar' }).end(await packed(body));
  });
}

test('a pull without credentials may be refused with 500 in carried versions', patience, async () => {
  refusesOtherwise('POST /images/create', 404, 500);
  await expectVerdicts('pass', '1.24', ['images.create.no-credentials-404']);
  await expectVerdicts('fail', '1.23', ['images.create.no-credentials-404']);
});

test('credentials may be refused with 401 in carried versions', patience, async () => {
  refusesOtherwise('POST /auth', 500, 401);
  await expectVerdicts('pass', '1.24', ['system.auth.bad-credentials']);
  await expectVerdicts('fail', '1.23', ['system.auth.bad-credentials']);
});

test('an error in a stream may have its text in errorDetail alone in carried versions', patience, async () => {
  tellsDetailsAlone('POST /build');
  tellsDetailsAlone('POST /images/create');
  tellsDetailsAlone('POST /images/load');
  tellsDetailsAlone('POST /images/{rest…}');
  const told = (['build', 'create', 'load', 'push'] as const).map((one) => `images.${one}.error-in-stream` as const);
  const other = ['images.push.X-Registry-Auth-credentials', 'images.build.parameter.forcerm-failure'] as const;
  await expectVerdicts('pass', '1.48', [...told, ...other]);
  await expectVerdicts('fail', '1.23', told);
});

test('versions may tell otherwise that a setting is not set', patience, async () => {
  around('GET /containers/{id}/json', (call, answer) => {
    const { res } = call;
    const { end } = res;
    const isLater = call.since('1.39');
    // With the same length, which the head has told already.
    const later = (text: string) => text.replace('"OomKillDisable":false', '"OomKillDisable":null ');
    vi.spyOn(res, 'end').mockImplementation((body: unknown) =>
      end.call(res, isLater ? later(String(body)) : body, 'utf8'),
    );
    return answer();
  });
  await expectVerdicts('pass', '1.24', ['versioning.same-container', 'generated.versions.containers']);
});

test('layers may be compressed where an archive has no directories for them', patience, async () => {
  packsLayers('GET /images/{rest…}');
  packsLayers('GET /images/get');
  const several = (['names-one', 'names-id', 'names-repeated'] as const).map(
    (one) => `images.save-several.${one}` as const,
  );
  const rules = ['images.save.by-repository-name', 'images.save.by-name-tag', 'images.save.by-id', ...several] as const;
  await expectVerdicts('pass', '1.44', rules);
  await expectVerdicts('fail', '1.23', rules);
});
