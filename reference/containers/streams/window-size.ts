import { badParameter } from '../../errors.ts';
import type { Call } from '../../http/call.ts';
import type { WindowSize } from '../../process/terminal.ts';

/** Reads the parameters h and w of a resize, in characters. Throws 400. */
export function readWindowSize(call: Call): WindowSize {
  const rows = call.query.integer('h');
  const columns = call.query.integer('w');
  if (rows === undefined || columns === undefined) throw badParameter('the parameters h and w are needed');
  if (rows < 0 || columns < 0 || rows > 65_535 || columns > 65_535) throw badParameter('h or w is out of range');
  return { rows, columns };
}
