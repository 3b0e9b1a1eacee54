import type { RecordedExchange } from '../events.ts';
import { textMemberIn } from '../streams/json.ts';

/** The identifier in an answer to a create request; undefined for one that may be the text of anything else, too. */
export function madeIdentifier({ request, answer }: RecordedExchange): string | undefined {
  if (request.method !== 'POST' || answer?.status !== 201) return undefined;
  const id = textMemberIn(answer.body.text ?? '', 'Id');
  return id !== undefined && /^[\w-]{6,}$/.test(id) ? id : undefined;
}
