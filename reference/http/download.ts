/**
 * Fetches what a server has under an address. A connection that ends without an answer is tried once more, as clients do
 * with requests that change nothing.
 * @throws Error with the reason when there is no answer, or a refusal
 */
export async function download(address: string): Promise<Buffer> {
  try {
    const answer = await fetch(address).catch(() => fetch(address));
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return Buffer.from(await answer.arrayBuffer());
  } catch (error) {
    throw new Error(`cannot fetch ${address}: ${reasonOf(error)}`);
  }
}

/** `fetch` itself says only that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
}
