import { badParameter } from '../errors.ts';
import type { Call } from '../http/call.ts';
import { pullImage } from './pull.ts';

/** POST /images/create (Document 3, Create an image): pulls what fromImage names. */
export function createImage(call: Call): Promise<void> {
  const fromImage = call.query.text('fromImage');
  if (fromImage === undefined) throw badParameter('there is no fromImage');
  return pullImage(call, fromImage);
}
