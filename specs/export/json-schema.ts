import { allEndpoints } from '../catalogue.ts';
import { type JsonSchema, schemaFor, titledSchemas } from '../derive.ts';
import { answerIn, type Endpoint } from '../endpoint.ts';
import { flag } from '../parameters.ts';
import { type ApiVersion, holdsIn } from '../versions.ts';

/** The endpoints of one version, each with only the parameters, the body and the answers of that version. */
export function endpointsIn(api: ApiVersion, endpoints: readonly Endpoint[] = allEndpoints): Endpoint[] {
  return endpoints
    .filter((endpoint) => holdsIn(endpoint, api))
    .map(({ body, ...endpoint }) => ({
      ...endpoint,
      parameters: Object.fromEntries(
        Object.entries(endpoint.parameters).filter(([, parameter]) => holdsIn(parameter, api)),
      ),
      ...(body && holdsIn(body, api) && { body }),
      answers: Object.fromEntries(
        Object.entries(endpoint.answers).flatMap(([status, answers]) => {
          const answer = [answers].flat().find((one) => holdsIn(one, api));
          return answer ? [[Number(status), answerIn(answer, Number(status), api)]] : [];
        }),
      ),
    }));
}

/** Every titled schema that one version uses, as a separate JSON Schema document, by title. */
export function jsonSchemas(api: ApiVersion): ReadonlyMap<string, JsonSchema> {
  const schemas = new Map(titledSchemas(endpointsIn(api), api));
  // The flags of parameters have the same title and differ only in their defaults.
  schemas.set(flag.title, flag);
  return new Map([...schemas].map(([title, schema]) => [title, schemaFor(schema, api)] as const));
}
