import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { samplesOf } from '../../harness/generators/from-schema.ts';
import { mutantsOf } from '../../harness/generators/mutate.ts';
import { answerSchema, type JsonSchema } from '../../specs/derive.ts';
import { endpointsIn, jsonSchemas } from '../../specs/export/json-schema.ts';
import { endsOfVersions } from './ends-of-versions.ts';
import { compileStrictly } from './strict-schema.ts';

const numRuns = 15;

/** Samples pass; a sample with one deviation does not. */
function samplesAndMutants(schema: JsonSchema): void {
  const validate = compileStrictly(schema);
  fc.assert(
    fc.property(samplesOf(schema), (sample) => {
      if (!validate(sample)) throw new Error(`a sample is refused: ${JSON.stringify(validate.errors)}`);
      for (const { path, defect, value } of mutantsOf(schema, sample)) {
        if (validate(value)) throw new Error(`'${path}' with ${defect} is accepted`);
      }
    }),
    { numRuns },
  );
}

/** What a schema judges, whatever it is called. */
function meaningOf(schema: JsonSchema): string {
  const { $id: _, ...judging } = schema;
  return JSON.stringify(judging);
}

function schemasOf(api: (typeof endsOfVersions)[number]): (readonly [string, JsonSchema])[] {
  const answers = endpointsIn(api).flatMap((endpoint) =>
    Object.keys(endpoint.answers).flatMap((status) => {
      const schema = answerSchema(endpoint, Number(status), api);
      return schema ? [[`answer of ${endpoint.id} ${status}`, schema] as const] : [];
    }),
  );
  return [...jsonSchemas(api), ...answers];
}

/** Each once, as most are the same in several versions. */
const distinct = new Map(
  endsOfVersions.flatMap((api) =>
    schemasOf(api).map(([title, schema]) => [meaningOf(schema), [`${title}, ${api}`, schema] as const] as const),
  ),
);

test.each([...distinct.values()])('samples of %s', (_title, schema) => samplesAndMutants(schema));

describe('mutants', () => {
  const schema: JsonSchema = {
    type: 'object',
    required: ['Id'],
    properties: {
      Id: { type: 'string' },
      Cmd: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }, { type: 'null' }] },
      List: { type: ['array', 'null'], items: { $ref: '#/$defs/Item' } },
      Loose: {},
    },
    $defs: { Item: { title: 'Item', type: 'object', properties: { Size: { type: 'integer' } } } },
  };

  test('break each place that the schema says something of', () => {
    const mutants = mutantsOf(schema, { Id: 'a', Cmd: ['b'], List: [{ Size: 1 }], Loose: 1 });
    const places = new Set(mutants.map(({ path, defect }) => `${path} ${defect}`));
    expect([...places].sort()).toEqual([
      ' null',
      ' wrong type',
      'Cmd wrong type',
      'Id missing',
      'Id null',
      'Id wrong type',
      'List wrong type',
      'List[0] null',
      'List[0] wrong type',
      'List[0].Size null',
      'List[0].Size wrong type',
    ]);
    const validate = compileStrictly(schema);
    expect(mutants.filter(({ value }) => validate(value))).toEqual([]);
  });

  test('leave the sample as it was', () => {
    const sample = { Id: 'a', List: [{ Size: 1 }] };
    mutantsOf(schema, sample);
    expect(sample).toEqual({ Id: 'a', List: [{ Size: 1 }] });
  });
});
