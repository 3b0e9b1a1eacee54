import { Transform } from 'node:stream';
import { isObject } from '../expect/json-path.ts';
import type { JsonValue } from '../streams/json.ts';
import { ObjectDecoder } from '../streams/objects.ts';
import type { Fault } from './fault.ts';

/** Never tells events of one kind: `losesEvents('container', 'start')`. Older versions have no type. */
export function losesEvents(type: string, kind: string): Fault {
  return losesObjects(`never tells ${kind} of a ${type}`, (event) => {
    if (!isObject(event)) return false;
    const told = String(event.Action ?? event.status).split(':')[0];
    return told === kind && (event.Type === undefined || event.Type === type);
  });
}

/** Leaves out the objects of a stream for which the condition holds. */
function losesObjects(name: string, lost: (value: JsonValue) => boolean): Fault {
  return {
    name,
    on: 'GET /events',
    incoming: () => {
      const decoder = new ObjectDecoder();
      return new Transform({
        transform(chunk: Buffer, _encoding, done) {
          for (const { text, value } of decoder.push(chunk)) if (!lost(value)) this.push(`${text}\n`);
          done();
        },
      });
    },
  };
}
