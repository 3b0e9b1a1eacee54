import { Transform } from 'node:stream';
import { withBody } from '../faults/answers.ts';
import type { JsonValue } from '../streams/json.ts';
import { isObject } from '../streams/json-path.ts';
import { headerOf, type WireHead, type WireRequest } from '../transport/wire.ts';
import { endpointOf } from './described-objects.ts';
import type { Latitude } from './latitude.ts';

/**
 * The engine's own names for networks and processes. They are replaced in everything that the engine and its containers
 * say, and in requests. Names that the suite chooses are different: its subnets are from the benchmarking range.
 */
export const ofNames: readonly Latitude[] = [
  renames({
    name: 'other-subnets',
    says: 'uses another range for the subnets of its networks',
    ground: { notShown: 'nothing says which subnets an engine uses' },
    there: (text) => text.replaceAll(/172\.(1[6-9]|2\d|3[01])\./g, '10.1$1.'),
    back: (text) => text.replaceAll(/10\.1(1[6-9]|2\d|3[01])\./g, '172.$1.'),
  }),
  renames({
    name: 'other-hardware-addresses',
    says: 'gives containers hardware addresses of another vendor',
    ground: { notShown: 'nothing says which addresses an engine gives' },
    // Not the time 02:42, which nothing follows but its seconds.
    there: (text) => text.replaceAll(/02:42:(?!ac:11:00:99)(?=..:..:)/g, '0a:6d:'),
    back: (text) => text.replaceAll(/0a:6d:(?=..:..:)/g, '02:42:'),
  }),
  renames({
    name: 'other-interface-names',
    says: 'has no interface named eth0, on its host or in containers',
    ground: { interpretation: 'interface-names', because: 'an interface may have any name' },
    there: swapInterfaces,
    back: swapInterfaces,
  }),
  {
    name: 'other-process-ids',
    says: 'has large process identifiers',
    area: 'names',
    ground: { notShown: 'nothing says which identifiers processes have' },
    json: (value, request) => withOtherIds(value, endpointOf(request)),
  },
];

interface Renaming extends Pick<Latitude, 'name' | 'says' | 'ground'> {
  /** The engine's text under the latitude. Its length is the same, as frames and archives contain lengths. */
  readonly there: (text: string) => string;
  readonly back: (text: string) => string;
}

function renames({ there, back, ...latitude }: Renaming): Latitude {
  const renamed = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return there(value);
    if (Array.isArray(value)) return value.map(renamed);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [there(name), renamed(member)]));
  };
  return {
    ...latitude,
    area: 'names',
    json: renamed,
    request: (request) => inRequest(request, back),
    answer: (answer) => (isOutput(answer) ? withBody(answer, inBytes(answer.body, there)) : answer),
    incoming: (head) =>
      isOutput(head)
        ? new Transform({
            transform(chunk: Buffer, _encoding, done) {
              done(null, inBytes(chunk, there));
            },
          })
        : undefined,
  };
}

/** A request with other names in its path and body. Those in an archive are kept, as in answers. */
export function inRequest(request: WireRequest, change: (text: string) => string): WireRequest {
  const { path, headers, body } = request;
  const hasArchive = isArchive(headerOf(Object.entries(headers), 'content-type'));
  return { ...request, path: change(path), ...(body && !hasArchive && { body: inBytes(body, change) }) };
}

function inBytes(bytes: Buffer, change: (text: string) => string): Buffer {
  return Buffer.from(change(bytes.toString('latin1')), 'latin1');
}

/** Output of containers and commands. Names in archives are kept: the checksums would be wrong. */
function isOutput(head: WireHead): boolean {
  const type = headerOf(head.headers, 'content-type');
  return !isArchive(type) && !/json/i.test(type ?? '');
}

function isArchive(mediaType = ''): boolean {
  return /tar|octet/i.test(mediaType);
}

function swapInterfaces(text: string): string {
  return text.replaceAll(/(?<![a-z])(?:eth|net)(?=\d\b)/g, (name) => (name === 'eth' ? 'net' : 'eth'));
}

const offset = 4_000_000;

function withOtherIds(value: JsonValue, endpoint: string | undefined): JsonValue {
  if (endpoint === 'GET /containers/{id}/top') return topWithOtherIds(value);
  if (endpoint !== 'GET /containers/{id}/json' && endpoint !== 'GET /exec/{id}/json') return value;
  return pidsShifted(value);
}

function pidsShifted(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, JsonValue] => {
    if (name === 'Pid' && typeof member === 'number' && member > 0) return [name, member + offset];
    return [name, name === 'State' || name === 'Container' ? pidsShifted(member) : member];
  });
  return Object.fromEntries(members);
}

function topWithOtherIds(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  const { Titles: titles, Processes: processes } = value;
  if (!Array.isArray(titles) || !Array.isArray(processes)) return value;
  const isId = titles.map((title) => title === 'PID' || title === 'PPID');
  const shifted = (cell: JsonValue) => (Number(cell) > 0 ? String(Number(cell) + offset) : cell);
  const changed = processes.map((row) =>
    Array.isArray(row) ? row.map((cell, column) => (isId[column] ? shifted(cell) : cell)) : row,
  );
  return { ...value, Processes: changed };
}
