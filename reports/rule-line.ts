/** First words of sentences that do not continue from the endpoint, as `has` and `answers` do. */
const beginsAnew = /^(?:an?|after|every|how|it|no|past|the|two|what|whatever|where|wherever|whether|which|with)\b/;

/** A rule as one line: its endpoint or area, and its sentence, which may continue from an endpoint. */
export function ruleLine(
  { endpoint, area }: { readonly endpoint?: string; readonly area: string },
  says: string,
): string {
  if (endpoint === undefined) return `${area}: ${says}`;
  return `${endpoint}${beginsAnew.test(says) ? ':' : ''} ${says}`;
}
