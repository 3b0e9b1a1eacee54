import type { HeaderList } from '../events.ts';
import type { WireHead, WireRequest } from '../transport/wire.ts';
import type { Latitude } from './latitude.ts';

/** The headers of answers. */
export const ofHeaders: readonly Latitude[] = [
  variesHeaders({
    name: 'lower-case-headers',
    says: 'writes the names of headers in lower case',
    area: 'headers',
    ground: { interpretation: 'header-case', because: 'names of headers are compared without case' },
    against: ['upper-case-headers'],
    change: (headers) => headers.map(([name, value]) => [name.toLowerCase(), value]),
  }),
  variesHeaders({
    name: 'upper-case-headers',
    says: 'writes the names of headers in upper case',
    area: 'headers',
    ground: { interpretation: 'header-case', because: 'names of headers are compared without case' },
    against: ['lower-case-headers'],
    change: (headers) => headers.map(([name, value]) => [name.toUpperCase(), value]),
  }),
  variesHeaders({
    name: 'headers-reversed',
    says: 'sends headers in another order',
    area: 'headers',
    ground: { notShown: 'no order of headers is stated' },
    change: (headers) => headers.toReversed(),
  }),
  variesHeaders({
    name: 'further-headers',
    says: 'sends further headers',
    area: 'headers',
    ground: { interpretation: 'open-objects', because: 'nothing forbids further headers' },
    change: (headers) => [
      ['Server', 'Other/1.0 (somewhere)'],
      ...headers,
      ['Api-Version', '1.99'],
      ['Ostype', 'linux'],
      ['X-Ec-Further', 'one, two'],
      ['Set-Cookie', 'a=b; Path=/'],
      ['Warning', '199 - "nothing to worry about"'],
    ],
  }),
  variesHeaders({
    name: 'media-type-parameters',
    says: 'adds a charset to the media type of JSON and text',
    area: 'headers',
    ground: { interpretation: 'header-case', because: 'media types are compared without parameters' },
    against: ['media-type-case'],
    change: typesChanged((type) => (isText(type) ? `${type}; charset=UTF-8` : type)),
  }),
  variesHeaders({
    name: 'media-type-case',
    says: 'writes media types in another case',
    area: 'headers',
    ground: { interpretation: 'header-case', because: 'media types are compared without case' },
    against: ['media-type-parameters'],
    change: typesChanged((type) => type.replaceAll(/(?:^|[/.-])[a-z]/g, (letter) => letter.toUpperCase())),
  }),
  {
    name: 'connection-for-each-answer',
    says: 'closes the connection after each answer',
    area: 'headers',
    ground: { notShown: 'nothing says that a connection serves more than one request' },
    // Here the client asks the server to close, so that it is the daemon that closes.
    request: (request) => ('upgrade' in request.headers || request.isRaw ? request : closing(request)),
  },
];

function closing(request: WireRequest): WireRequest {
  return { ...request, headers: { ...request.headers, connection: 'close' } };
}

function variesHeaders({
  change,
  ...latitude
}: Omit<Latitude, 'answer' | 'head'> & { readonly change: (headers: HeaderList) => HeaderList }): Latitude {
  const changed = <A extends WireHead>(answer: A): A => ({ ...answer, headers: change(answer.headers) });
  return { ...latitude, answer: changed, head: changed };
}

function typesChanged(change: (type: string) => string): (headers: HeaderList) => HeaderList {
  return (headers) =>
    headers.map(([name, value]) => [name, name.toLowerCase() === 'content-type' ? change(value) : value]);
}

function isText(type: string): boolean {
  return /^(?:application\/json|text\/plain)$/i.test(type);
}
