import { type JsonSchema, schemaFor } from '../derive.ts';
import {
  type Answer,
  type Endpoint,
  endpointTitle,
  type Framing,
  type Parameter,
  type RequestBody,
} from '../endpoint.ts';
import { flag } from '../parameters.ts';
import type { Schema } from '../schema.ts';
import { type ApiVersion, isDocumented } from '../versions.ts';
import { endpointsIn, jsonSchemas } from './json-schema.ts';

/** An OpenAPI 3.1 document, or a part of one. */
export type OpenApi = { readonly [name: string]: unknown };

/** Where referenced schemas are, in a JSON Schema document and in an OpenAPI document. */
const [definitions, components] = ['#/$defs/', '#/components/schemas/'] as const;

/** What OpenAPI cannot express about a body, in words and, as `x-framing`, for programs. */
const framings: Readonly<Record<Framing, string>> = {
  empty: 'No body.',
  object: 'One JSON text.',
  objects:
    'A stream: JSON objects one after another, without a list around them. The schema is that of each object; a client reads object by object until the connection ends.',
  text: 'The form of this body is not specified.',
  tar: 'A tar archive, as it is.',
  octets: 'Bytes, as they are.',
  'raw-stream':
    'Not one message but a stream in both directions. Without a terminal it is cut into frames: 8 bytes of header (0 stdin, 1 stdout or 2 stderr; three zeros; the size of the payload, most significant byte first), then the payload. With a terminal it is its bytes, as they are.',
  websocket: 'A websocket (RFC 6455); its messages carry the streams of the container.',
};

const upgraded =
  'The connection is no longer HTTP after the head of this answer: it carries the streams in both directions until one side closes it.';

/** Headers that OpenAPI describes elsewhere and forbids among the parameters. */
const describedElsewhere = new Set(['accept', 'content-type', 'authorization']);

/** What the parts of a document must know about the whole. */
interface Within {
  readonly api: ApiVersion;
  /** The schemas that can be referred to. */
  readonly titles: ReadonlySet<string>;
}

/** The OpenAPI 3.1 document of one API version. */
export function openApi(api: ApiVersion): OpenApi {
  const schemas = jsonSchemas(api);
  const within: Within = { api, titles: new Set(schemas.keys()) };
  const endpoints = endpointsIn(api);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Container Engine Service',
      version: api,
      'x-standing': isDocumented(api) ? 'documented' : 'carried',
      description:
        'What an engine must answer, as three documents describe it; `x-standing` is carried for a later version, which a fourth document carries them forward to. Schemas of answers are open: a field that they do not name is allowed. The names of images in paths may have slashes in them. Extensions: `x-framing` says how a body is written where a media type does not (streams, hijacked connections, archives), `x-media-type-stated` is false where the documents give no media type.',
    },
    servers: [
      {
        url: `http://{address}/v${api}`,
        description: 'An engine. It listens on a unix socket by default; with a unix socket, any host name will do.',
        variables: { address: { default: 'localhost' } },
      },
    ],
    tags: tagsOf(endpoints),
    paths: pathsOf(endpoints, within),
    components: {
      schemas: Object.fromEntries(
        [...schemas].map(([title, schema]) => [title, withoutDocument(pointedToComponents(schema))]),
      ),
    },
  };
}

function tagsOf(endpoints: readonly Endpoint[]): OpenApi[] {
  return [...new Set(endpoints.map(areaOf))].map((name) => ({ name }));
}

function areaOf({ id }: Endpoint): string {
  return id.split('.')[0] ?? id;
}

function pathsOf(endpoints: readonly Endpoint[], within: Within): OpenApi {
  const paths: Record<string, OpenApi> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      ...(endpoint.server && { servers: [authorizationServer] }),
      [endpoint.method.toLowerCase()]: operation(endpoint, within),
    };
  }
  return paths;
}

const authorizationServer = {
  url: '{auth_url}',
  description: 'The authorization server of a registry, which is not an engine and has no version in its paths.',
  variables: { auth_url: { default: 'https://auth.example' } },
};

function operation(endpoint: Endpoint, within: Within): OpenApi {
  const { id, summary, source, parameters, body, answers } = endpoint;
  const shown = Object.entries(parameters).filter(
    ([name, parameter]) => !(parameter.in === 'header' && describedElsewhere.has(name.toLowerCase())),
  );
  return {
    operationId: id,
    tags: [areaOf(endpoint)],
    summary: `${endpointTitle(endpoint)} ${summary}`,
    'x-source': { document: source[0], section: source[1] },
    ...(shown.length > 0 && { parameters: shown.map(([name, parameter]) => parameterObject(name, parameter, within)) }),
    ...(body && { requestBody: requestBody(body, within) }),
    responses: responses(answers, endpoint.method, within),
  };
}

function parameterObject(name: string, parameter: Parameter, within: Within): OpenApi {
  const { schema, says } = parameter;
  const json = schema.contentMediaType === 'application/json' && schema.contentEncoding === undefined;
  return {
    name,
    in: parameter.in,
    ...((parameter.required || parameter.in === 'path') && { required: true }),
    description: says,
    // JSON inside a query is described by its media type, not as the string that carries it.
    ...(json
      ? {
          content: { 'application/json': { schema: schema.contentSchema ? inline(schema.contentSchema, within) : {} } },
        }
      : { schema: inline(schema, within) }),
  };
}

function requestBody({ mediaType, required, schema }: RequestBody, within: Within): OpenApi {
  return { required, content: { [mediaType]: schema ? { schema: inline(schema, within) } : {} } };
}

function responses(answers: Endpoint['answers'], method: Endpoint['method'], within: Within): OpenApi {
  const listed = Object.entries(answers).map(([status, answer]) => [
    status,
    // biome-ignore lint/plugin: a status is listed with an answer at least
    response(status, [answer].flat()[0] as Answer, method, within),
  ]);
  // OpenAPI requires an answer; for some endpoints the documents list no status.
  return listed.length > 0 ? Object.fromEntries(listed) : { default: { description: 'Not specified.' } };
}

function response(status: string, answer: Answer, method: Endpoint['method'], within: Within): OpenApi {
  const { says, body, headers } = answer;
  const explained = body === 'object' || body === 'empty' ? [] : [framings[body]];
  const connection = status === '101' ? [upgraded] : [];
  const silent = body === 'empty' || method === 'HEAD';
  return {
    description: [`${says.charAt(0).toUpperCase()}${says.slice(1)}.`, ...connection, ...explained].join(' '),
    'x-framing': body,
    ...(!silent && { content: content(answer, within), 'x-media-type-stated': answer.mediaType !== undefined }),
    ...(headers && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, schema]) => [name, { schema: inline(schema, within) }]),
      ),
    }),
  };
}

function content({ mediaType, body, schema }: Answer, within: Within): OpenApi {
  const assumed = body === 'object' || body === 'objects' ? 'application/json' : '*/*';
  return { [mediaType ?? assumed]: schema ? { schema: inline(schema, within) } : {} };
}

/** A schema at its place in the document: a reference if it has a title, otherwise inline. */
function inline(schema: Schema, within: Within): JsonSchema {
  const document = schemaFor(schema, within.api);
  const { title } = document;
  // A flag is always inline, as its default differs.
  const shared = typeof title === 'string' && title !== flag.title && within.titles.has(title);
  return shared ? { $ref: components + title } : withoutDocument(pointedToComponents(document));
}

/** A schema document as a part of a larger one. */
function withoutDocument({ $schema: _schema, $defs: _definitions, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

function pointedToComponents(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, pointed(keyword, value)]));
}

function pointed(keyword: string, value: unknown): unknown {
  if (keyword === '$ref' && typeof value === 'string') return value.replace(definitions, components);
  if (Array.isArray(value)) return value.map((one) => pointed('', one));
  return typeof value === 'object' && value !== null ? pointedToComponents({ ...value }) : value;
}
