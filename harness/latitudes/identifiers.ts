import { atLeast, isApiVersion } from '../../specs/versions.ts';
import type { JsonValue } from '../streams/json.ts';
import { isObject } from '../streams/json-path.ts';
import type { WireRequest } from '../transport/wire.ts';
import { endpointOf, versionOf } from './described-objects.ts';
import type { Latitude } from './latitude.ts';
import { inRequest } from './own-names.ts';

const digits = '0123456789abcdef';
const letters = 'ghijklmnopqrstuv';
const whole = /(?<!\w|sha256:)[0-9a-f]{64}(?!\w)/g;
const wholeOrShort = /(?<!\w|sha256:)(?:[0-9a-f]{64}|[0-9a-f]{12})(?!\w)/g;
const withShortIdentifiers = ['Aliases', 'DNSNames'];
/** Those of images keep their form, as since 23 they are digests; and volumes without a name are named like identifiers. */
const notIdentifiers = ['Image', 'ImageID', 'image', 'Mounts'];
const imageKinds = ['delete', 'import', 'pull', 'push', 'tag', 'untag'];

/** The form of identifiers. */
export const ofIdentifiers: readonly Latitude[] = [
  {
    name: 'identifiers-of-letters',
    says: 'gives containers, networks and commands identifiers without digits',
    area: 'names',
    ground: { notShown: 'nothing says what an identifier looks like' },
    json: inAnswer,
    request: (request) => inRequest(request, inHex),
  },
  {
    name: 'image-identifiers-with-prefix',
    says: 'finds images in paths by their identifiers from 1.23 on with the prefix only that these have there',
    area: 'names',
    ground: { source: [1, 'Image shapes'], because: 'since 1.23 the prefix is part of the value of Id' },
    request: (request) => {
      const api = versionOf(request);
      if (!isApiVersion(api) || !atLeast(api, '1.23')) return request;
      return { ...request, path: request.path.replace(bareInPath, '$1ec-no-image-$2') };
    },
  },
];

/** The identifier of an image without its prefix, in the path or in `names`. */
const bareInPath = /(\/images\/(?:get\?(?:.*&)?names=)?)([0-9a-f]{64})(?=[/?&]|$)/;

function inAnswer(value: JsonValue, request: WireRequest): JsonValue {
  const endpoint = endpointOf(request) ?? '';
  if (endpoint === 'GET /events') return isOfImage(value) ? value : inLetters(value);
  if (/ \/(?:containers|exec|networks)\//.test(`${endpoint}/`)) return inLetters(value);
  if (endpoint !== 'GET /images/{name}/json' || !isObject(value)) return value;
  const { Container: container } = value;
  return container === undefined ? value : { ...value, Container: inLetters(container) };
}

/** Before 23 an event does not say what it is of. */
function isOfImage(event: JsonValue): boolean {
  if (!isObject(event)) return false;
  const { Type: type, status } = event;
  return type === undefined ? imageKinds.includes(String(status)) : type === 'image';
}

function inLetters(value: JsonValue, identifier = whole): JsonValue {
  if (typeof value === 'string') return value.replaceAll(identifier, spelled(digits, letters));
  if (Array.isArray(value)) return value.map((item) => inLetters(item, identifier));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => {
    const inMember = withShortIdentifiers.includes(name) ? wholeOrShort : identifier;
    return [String(inLetters(name)), notIdentifiers.includes(name) ? member : inLetters(member, inMember)] as const;
  });
  return Object.fromEntries(members);
}

/**
 * A part of an identifier may be asked for, too. No word of the suite has so many letters, and none but these, save for long names
 * of one letter again and again.
 */
function inHex(text: string): string {
  return text.replaceAll(/(?<![a-z])(?!([g-v])\1{11})[g-v]{12,64}(?![a-z])/g, spelled(letters, digits));
}

function spelled(from: string, to: string): (text: string) => string {
  return (text) => text.replaceAll(/./g, (mark) => to[from.indexOf(mark)] ?? mark);
}
