import { Validator } from '@seriousme/openapi-schema-validator';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { OpenAPIBackend } from 'openapi-backend';
import { describe, expect, test } from 'vitest';
import { samplesOf } from '../../harness/generators/from-schema.ts';
import { mutantsOf } from '../../harness/generators/mutate.ts';
import { allEndpoints } from '../../specs/catalogue.ts';
import { answerSchema } from '../../specs/derive.ts';
import type { Endpoint } from '../../specs/endpoint.ts';
import { endpointsIn } from '../../specs/export/json-schema.ts';
import { openApi } from '../../specs/export/openapi.ts';
import { endsOfVersions } from './ends-of-versions.ts';

/** The document as another program would read it. */
function exported(api: (typeof endsOfVersions)[number]) {
  return JSON.parse(JSON.stringify(openApi(api)));
}

/** The path of an endpoint with something in the place of its parameters. */
function examplePath({ path }: Endpoint): string {
  return path.replaceAll(/\{\w+\}/g, 'x1');
}

describe.each(endsOfVersions)('OpenAPI of %s', (api) => {
  const endpoints = endpointsIn(api);

  test('passes an independent validator', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(exported(api));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    expect(validator.version).toBe('3.1');
  });

  test('refers to no schema that is not there', () => {
    const document = exported(api);
    const titles = new Set(Object.keys(document.components.schemas));
    const targets = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target ?? '');
    expect(targets.length).toBeGreaterThan(20);
    expect(targets.filter((target) => !titles.has(target.replace('#/components/schemas/', '')))).toEqual([]);
  });

  test('has every operation with every status, and nothing of other versions', () => {
    const { paths } = exported(api);
    const found = Object.values<Record<string, { operationId: string; responses: object }>>(paths)
      .flatMap((item) => Object.values(item).filter(({ operationId }) => operationId))
      .map(({ operationId, responses }) => [operationId, Object.keys(responses)] as const);
    expect(new Map(found)).toEqual(new Map(endpoints.map(({ id, answers }) => [id, Object.keys(answers)])));
    expect(allEndpoints.length).toBeGreaterThanOrEqual(found.length);
  });

  test('leads another tool from method, path and status to the schema of the answer', async () => {
    const backend = new OpenAPIBackend({
      definition: exported(api),
      // Its own check of the document knows only OpenAPI 3.0.
      quick: true,
      ajvOpts: { strict: false },
      customizeAjv: (ajv) => addFormats.default(ajv),
    });
    await backend.init();
    let judged = 0;
    for (const endpoint of endpoints) {
      const request = { method: endpoint.method, path: examplePath(endpoint), headers: {} };
      const operation = backend.matchOperation(request);
      expect(operation?.operationId, request.path).toBe(endpoint.id);
      if (!operation) continue;
      for (const status of Object.keys(endpoint.answers).map(Number)) {
        const schema = answerSchema(endpoint, status, api);
        // The tool judges bodies of this media type only; older exec inspect has another.
        if (!schema || !JSON.stringify(operation.responses?.[status]).includes('"application/json"')) continue;
        const [sample] = fc.sample(samplesOf(schema), { numRuns: 1, seed: status });
        const judge = (body: unknown) => backend.validateResponse(body, operation, status).errors ?? [];
        expect(judge(sample), `${endpoint.id} ${status}`).toEqual([]);
        for (const { path, value } of mutantsOf(schema, sample)) {
          expect(judge(value), `${endpoint.id} ${status} ${path}`).not.toEqual([]);
          judged += 1;
        }
      }
    }
    expect(judged).toBeGreaterThan(100);
  });
});

describe('what OpenAPI has no words for', () => {
  const { paths } = exported('1.23');

  test('streams, hijacked connections and archives', () => {
    const { responses } = paths['/containers/{id}/attach'].post;
    expect(responses['101']).toMatchObject({
      'x-framing': 'raw-stream',
      content: { 'application/vnd.engine.raw-stream': {} },
      headers: { Upgrade: {}, Connection: {} },
    });
    expect(responses['101'].description).toContain('no longer HTTP');
    expect(paths['/events'].get.responses['200']).toMatchObject({
      'x-framing': 'objects',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Event' } } },
    });
    expect(paths['/containers/{id}/archive'].get.responses['200'].content).toEqual({ 'application/x-tar': {} });
    expect(paths['/containers/{id}/archive'].head.responses['200'].content).toBeUndefined();
    expect(paths['/containers/{id}/stop'].post.responses['204'].content).toBeUndefined();
  });

  test('media types that the documents do not give', () => {
    expect(paths['/containers/{id}/json'].get.responses['200']['x-media-type-stated']).toBe(false);
    expect(paths['/_ping'].get.responses['200']['x-media-type-stated']).toBe(true);
    expect(exported('1.20').paths['/exec/{id}/json'].get.responses['200'].content).toHaveProperty(['plain/text']);
  });

  test('the token endpoint, which another server has', () => {
    expect(paths['/token'].servers).toMatchObject([{ url: '{auth_url}' }]);
  });
});
