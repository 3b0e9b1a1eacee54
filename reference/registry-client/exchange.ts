import { fetch, type RequestInit, type Response } from 'undici';

/** A registry did not answer as required. */
export class RegistryError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** @throws RegistryError when no answer comes */
export async function fetchAt(url: URL, init: RequestInit, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new RegistryError(0, `${url.host} cannot be reached: ${String(cause)}`);
  }
}
