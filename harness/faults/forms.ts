import { formOf } from '../token/form.ts';
import type { WireRequest } from '../transport/wire.ts';
import { type Fault, onlyFor } from './fault.ts';

/** Acts as if a parameter of the form had not been sent. */
export function ignoresFormField(name: string): Fault {
  return changesForm(`ignores ${name}`, (form) => form.delete(name));
}

/** Acts as if a parameter of the form had the first value that was sent for it, even when it is absent. */
export function keepsFormField(name: string): Fault {
  let first: string | undefined;
  return changesForm(`keeps to the first ${name}`, (form) => {
    first ??= form.get(name) ?? undefined;
    if (first !== undefined) form.set(name, first);
  });
}

/** Acts as if a parameter of the form had another value. */
export function readsFormField(
  how: string,
  name: string,
  read: (value: string, form: URLSearchParams) => string,
): Fault {
  return changesForm(how, (form) => {
    const value = form.get(name);
    if (value !== null) form.set(name, read(value, form));
  });
}

/** Refuses forms for which the condition holds. */
export function refusesForms(which: string, isRefused: (form: URLSearchParams) => boolean): Fault {
  const body = Buffer.from('{"error":"invalid_request"}');
  const refusal = { instead: { status: 400, headers: [['Content-Type', 'application/json']] as const, body } };
  return { name: `refuses ${which}`, request: (request) => (isRefused(formOf(request)) ? refusal : request) };
}

/** The same fault, only of forms for which the condition holds. */
export function onForms(which: string, isMeant: (form: URLSearchParams) => boolean, fault: Fault): Fault {
  return onlyFor((request) => isMeant(formOf(request)), fault, `${fault.name} to ${which}`);
}

function changesForm(name: string, change: (form: URLSearchParams) => void): Fault {
  return {
    name,
    request: (request): WireRequest => {
      const form = formOf(request);
      change(form);
      return { ...request, body: Buffer.from(form.toString()) };
    },
  };
}
