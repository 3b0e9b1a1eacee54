import { parseJson } from '../streams/json.ts';
import { isObject } from '../streams/json-path.ts';
import type { Fault } from './fault.ts';

/** Sends requests to a registry without the bearer token that it got. */
export function showsNoToken(): Fault {
  const authorization = (value: string) => (/^bearer /i.test(value) ? '' : value);
  return { name: 'shows the registry no token', toRegistry: { authorization } };
}

/** Posts to a token endpoint where it should ask with GET. */
export function postsForToken(): Fault {
  return {
    name: 'never asks for a token with GET',
    toRegistry: { tokenRequest: (request) => ({ ...request, method: 'POST' }) },
  };
}

/** Sends a token endpoint something other than a form. */
export function sendsTokenFormAs(contentType: string): Fault {
  return {
    name: `sends the token endpoint ${contentType}`,
    toRegistry: { tokenRequest: (request) => ({ ...request, contentType }) },
  };
}

/** Sends these values of a parameter to a token endpoint instead of its own; none leaves the parameter out. */
export function asksTokenWith(parameter: string, ...values: readonly string[]): Fault {
  return {
    name: values.length > 0 ? `asks with ${parameter}=${values.join(', ')}` : `asks without ${parameter}`,
    toRegistry: {
      tokenRequest: (request) => {
        const asked = new URLSearchParams(request.asked);
        asked.delete(parameter);
        for (const value of values) asked.append(parameter, value);
        return { ...request, asked };
      },
    },
  };
}

/** Joins the names and values of its forms as they are. */
export function encodesNoForm(): Fault {
  return {
    name: 'encodes nothing in its forms',
    toRegistry: {
      tokenRequest: ({ asked, ...request }) => {
        const form = [...asked].map(([name, value]) => `${name}=${value}`).join('&');
        return { ...request, asked: new URLSearchParams(form) };
      },
    },
  };
}

/** Sends the identitytoken of a request to the registry itself, in addition to the registry's token. */
export function showsIdentityToken(): Fault {
  let identity = '';
  return {
    name: 'shows the registry the identitytoken',
    request: (request) => {
      const header = Object.entries(request.headers).find(([name]) => name.toLowerCase() === 'x-registry-auth')?.[1];
      const sent = parseJson(Buffer.from(String(header ?? 'e30='), 'base64').toString());
      if (isObject(sent) && typeof sent.identitytoken === 'string') identity = sent.identitytoken;
      return request;
    },
    toRegistry: { authorization: (value) => (value === '' ? `Bearer ${identity}` : value) },
  };
}

/** Uploads other blobs than it should; undefined: reports an upload without making one. */
export function uploads(what: string, blob: (bytes: Buffer) => Buffer | undefined): Fault {
  return { name: what, toRegistry: { blob } };
}
