import type { RecordedExchange } from '../harness/events.ts';
import { allEndpoints } from '../specs/catalogue.ts';
import { type Endpoint, endpointTitle } from '../specs/endpoint.ts';
import { Routes } from '../specs/routes.ts';

/** How long an endpoint took, from the request to the end of the answer, in milliseconds. */
export interface Latency {
  readonly endpoint: string;
  /** Number of answers. */
  readonly answers: number;
  readonly medianMs: number;
  /** 95 of 100 answers took no longer. */
  readonly p95Ms: number;
  readonly maxMs: number;
}

/**
 * Collects how long the endpoints of the contract took. This is recorded, not judged: the documents set no limits, and
 * some endpoints wait because they were asked to. Hijacked streams last as long as the check wants and are left out.
 */
export class Latencies {
  readonly #routes: Routes;
  readonly #durations = new Map<string, number[]>();

  constructor(endpoints: readonly Endpoint[] = allEndpoints) {
    this.#routes = new Routes(endpoints);
  }

  add({ request, answer, stream, durationMs }: RecordedExchange): void {
    if (!answer || stream) return;
    const endpoint = this.#routes.find(request.method, request.path);
    if (!endpoint) return;
    const title = endpointTitle(endpoint);
    const durations = this.#durations.get(title);
    if (durations) durations.push(durationMs);
    else this.#durations.set(title, [durationMs]);
  }

  /** In alphabetical order of the paths. */
  summary(): Latency[] {
    return [...this.#durations]
      .map(([endpoint, durations]) => summaryOf(endpoint, durations))
      .toSorted((a, b) => compare(pathOf(a), pathOf(b)) || compare(a.endpoint, b.endpoint));
  }
}

function summaryOf(endpoint: string, durations: readonly number[]): Latency {
  const sorted = durations.toSorted((a, b) => a - b);
  const at = (part: number) => tenth(sorted[Math.ceil(sorted.length * part) - 1] ?? 0);
  return { endpoint, answers: sorted.length, medianMs: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
}

function tenth(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}

function pathOf({ endpoint }: Latency): string {
  return endpoint.slice(endpoint.indexOf(' ') + 1);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
