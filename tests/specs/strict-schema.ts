import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { JsonSchema } from '../../specs/derive.ts';

// One for all, as each compiles the schema of schemas first.
const ajv = new Ajv2020({ strict: true, allErrors: true });
formats.default(ajv);

/** @throws Error if the schema is not valid, or has keywords that are not standard */
export function compileStrictly(schema: JsonSchema): ValidateFunction {
  const validate = ajv.compile(schema);
  ajv.removeSchema(); // The next may have the same `$id`.
  return validate;
}
