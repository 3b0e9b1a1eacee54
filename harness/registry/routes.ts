import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { wholeBytes } from '../streams/whole-bytes.ts';
import type { Contents } from './contents.ts';
import { type Blob, blob } from './image.ts';

/** A request for something in a repository. */
export interface RepositoryRequest {
  readonly repository: string;
  readonly part: 'manifests' | 'blobs' | 'tags';
  /** What follows the part: a tag, a digest, `list`, or `uploads/…`. */
  readonly rest: string;
}

/** Parses a path of the v2 API; undefined for another path. */
export function repositoryRequest(path: string): RepositoryRequest | undefined {
  const [, repository, part, rest] = /^\/v2\/(.+)\/(manifests|blobs|tags)\/(.*)$/.exec(path) ?? [];
  if (repository === undefined || rest === undefined) return undefined;
  if (part !== 'manifests' && part !== 'blobs' && part !== 'tags') return undefined;
  return { repository, part, rest };
}

interface Served {
  readonly contents: Contents;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  /** Changes an uploaded blob before it is stored; undefined discards it. Default: unchanged. */
  readonly kept?: ((bytes: Buffer) => Buffer | undefined) | undefined;
}

/** Serves one v2 API request for something in a repository. */
export async function serveRepository(served: Served, asked: RepositoryRequest): Promise<void> {
  const { contents, request, response } = served;
  const reads = request.method === 'GET' || request.method === 'HEAD';
  const { repository, part, rest } = asked;
  if (part === 'tags' && reads) {
    const tags = contents.tags(repository);
    if (!tags) return refuse(response, 404, 'NAME_UNKNOWN');
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ name: repository, tags }));
    return;
  }
  if (part === 'manifests' && reads) {
    return sendIfThere(served, contents.manifest(repository, rest), 'MANIFEST_UNKNOWN');
  }
  if (part === 'manifests' && request.method === 'PUT') {
    const manifest = blob(request.headers['content-type'] ?? '', await wholeBytes(request));
    contents.put(repository, rest, manifest);
    return created(response, `/v2/${repository}/manifests/${manifest.digest}`, manifest.digest);
  }
  if (part === 'blobs' && reads) return sendIfThere(served, contents.blobs.get(rest), 'BLOB_UNKNOWN');
  if (part === 'blobs' && rest.startsWith('uploads/')) return upload(served, asked);
  refuse(response, 405, 'UNSUPPORTED');
}

async function upload({ contents, request, response, query, kept }: Served, { repository, rest }: RepositoryRequest) {
  if (request.method === 'POST') {
    // A blob that a client offers to mount from another repository is uploaded instead.
    const id = randomUUID();
    contents.uploads.set(id, []);
    return accepted(response, repository, id, 0);
  }
  const id = rest.slice('uploads/'.length);
  const pieces = contents.uploads.get(id);
  if (!pieces) return refuse(response, 404, 'BLOB_UPLOAD_UNKNOWN');
  pieces.push(await wholeBytes(request));
  const bytes = Buffer.concat(pieces);
  if (request.method === 'PATCH') return accepted(response, repository, id, bytes.length);
  const whole = blob('application/octet-stream', bytes);
  if (request.method !== 'PUT' || query.get('digest') !== whole.digest) {
    return refuse(response, 400, 'DIGEST_INVALID');
  }
  contents.uploads.delete(id);
  const bytesKept = kept ? kept(bytes) : bytes;
  if (bytesKept) contents.blobs.set(whole.digest, { ...whole, bytes: bytesKept });
  created(response, `/v2/${repository}/blobs/${whole.digest}`, whole.digest);
}

function sendIfThere(served: Served, found: Blob | undefined, code: string): void {
  if (found) send(served, found);
  else refuse(served.response, 404, code);
}

function send({ request, response }: Served, { mediaType, bytes, digest }: Blob): void {
  response.writeHead(200, {
    'Content-Type': mediaType,
    'Content-Length': bytes.length,
    'Docker-Content-Digest': digest,
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

function accepted(response: ServerResponse, repository: string, id: string, size: number): void {
  const location = `/v2/${repository}/blobs/uploads/${id}`;
  const range = `0-${Math.max(size - 1, 0)}`;
  const headers = { Location: location, Range: range, 'Docker-Upload-UUID': id, 'Content-Length': 0 };
  response.writeHead(202, headers).end();
}

function created(response: ServerResponse, location: string, digest: string): void {
  response.writeHead(201, { Location: location, 'Docker-Content-Digest': digest, 'Content-Length': 0 }).end();
}

/** An answer with an error of the v2 API. */
export function refuse(response: ServerResponse, status: number, code: string, headers: Record<string, string> = {}) {
  // Clients distinguish errors with a detail from those without.
  const error = { code, message: code.toLowerCase().replaceAll('_', ' '), detail: { by: 'engine-conformance' } };
  const body = Buffer.from(JSON.stringify({ errors: [error] }));
  const length = { 'Content-Type': 'application/json', 'Content-Length': body.length };
  response.writeHead(status, { ...headers, ...length }).end(body);
}
