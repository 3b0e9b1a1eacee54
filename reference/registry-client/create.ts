import type { Call } from '../http/call.ts';
import { importImage } from '../images/import.ts';
import { pullImage } from './pull.ts';

/**
 * POST /images/create (Document 3, Create an image): pulls what fromImage names, or else imports what fromSrc names.
 */
export function createImage(call: Call): Promise<void> {
  const fromImage = call.query.text('fromImage');
  return fromImage === undefined ? importImage(call) : pullImage(call, fromImage);
}
